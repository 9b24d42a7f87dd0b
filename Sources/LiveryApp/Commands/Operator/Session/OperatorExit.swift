import ArgumentParser
import ConfigModel
import TerminalUI

/// How the commands end, for scripts: the numbers of `sysexits.h`, and 1 for the answer "no".
enum OperatorExit {
    /// The answer is no: the documents differ, the key is not there.
    static let negative = ExitCode(1)
    /// The data given are no good: a value, a key, a document.
    static let data = ExitCode(65)
    /// A file that is to be read cannot be.
    static let noInput = ExitCode(66)
    /// The server cannot be reached, or cannot answer now.
    static let unavailable = ExitCode(69)
    /// Standard output cannot be written to.
    static let output = ExitCode(74)
    /// Somebody else was first, or the server asks to wait: try again.
    static let temporary = ExitCode(75)
    /// Whoever answers is no Livery server.
    static let protocolError = ExitCode(76)
    /// The server wants a token, or another one.
    static let permission = ExitCode(77)

    static func code(for code: ConfigError.Code) -> ExitCode {
        switch code {
        case .notFound: negative
        case .invalidSource: .validationFailure
        case .unreadable: noInput
        case .unreachable, .unavailable: unavailable
        case .conflict, .rateLimited: temporary
        case .badResponse: protocolError
        case .unauthorized, .forbidden, .insecure, .invalidToken: permission
        default: data
        }
    }

    /// The table as the help shows it.
    static let help = """
        EXIT CODES
          0   done; for diff: no difference        69  the server cannot be reached, or not now
          1   no: it differs, or there is no such  74  standard output cannot be written to
              key or revision                      75  somebody else was first, or too often: try again
          64  the command line is wrong            76  whoever answers is no Livery server
          65  a key, value or document is wrong    77  no right to do this, or no safe way
          66  a file cannot be read
        """

    /// What went wrong and what to do, in one line that is safe on any terminal.
    static func sentence(for error: ConfigError) -> String {
        let advice = error.code == .unauthorized ? "; `livery login` stores one" : ""
        return (error.description + advice).sanitized()
    }

    /// Does some work; what goes wrong is said on standard error, and becomes an exit code.
    @MainActor
    static func reporting(_ work: @MainActor () async throws -> Void) async throws {
        do {
            try await work()
        } catch let error as ConfigError {
            StandardError.write("Error: \(sentence(for: error))")
            throw code(for: error.code)
        } catch let error as OutputError {
            StandardError.write("Error: \(error)")
            throw output
        }
    }
}
