import ArgumentParser
import ConfigModel
import Programs
import TerminalUI

/// A command that may wait, and works on the main actor.
protocol LiveryCommand: ParsableCommand {
    @MainActor
    func execute() async throws
}

extension ConfigError {
    /// How a command ends after this error: the one place where that is decided.
    var exit: ProgramExit {
        switch code {
        case .notFound: .negative
        case .invalidSource: .usage
        case .unreadable: .noInput
        case .unreachable, .unavailable, .cancelled: .unavailable
        case .conflict, .rateLimited: .temporary
        case .badResponse: .protocolError
        case .unauthorized, .forbidden, .insecure, .invalidToken: .permission
        default: .data
        }
    }

    /// The same for a report on a source: a source that does not exist cannot be read.
    var exitOfSource: ProgramExit { code == .notFound ? .noInput : exit }

    /// What went wrong and what to do, in one line that is safe on any terminal.
    var sentence: String {
        let isAdvised = message.contains("livery login")
        let advice = code == .unauthorized && !isAdvised ? "; `livery login` stores one" : ""
        return (description + advice).sanitized()
    }

    /// The error as the program ends with it.
    var failure: ProgramFailure { ProgramFailure(exit, sentence) }
}
