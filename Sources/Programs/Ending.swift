// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
internal import Basics
internal import Files

/// The last output of a program and its exit code: a value, so that tests can check it.
package struct Ending: Hashable, Sendable {
    package private(set) var output = ""
    private var report = ""
    package private(set) var code: Int32
    /// Whether the reader of the output has gone: nothing is written, and the parent sees SIGPIPE.
    package private(set) var isBrokenPipe = false

    /// The end of a program after an error, or after a request for its help or version.
    ///
    /// - Parameters:
    ///   - command: the command that ran, if one did; a usage error shows how it is used.
    ///   - arguments: the command line, without the program's name. If no command ran, options that belong to other
    ///     commands replace the parser's error.
    package init(
        _ error: any Error,
        of program: Program,
        command: (any ParsableCommand.Type)? = nil,
        _ arguments: [String] = []
    ) {
        switch error {
        case let failure as ProgramFailure:
            code = failure.exit.rawValue
            if !failure.message.isEmpty { report = "\(program.prefix)\(failure.message)\n" }
        case let error as OutputError:
            code = ProgramExit.output.rawValue
            isBrokenPipe = error.isBrokenPipe
            report = error.isBrokenPipe ? "" : "\(program.prefix)\(error)\n"
        case let error as ValidationError:
            code = ProgramExit.usage.rawValue
            report = "Error: \(error.message)\n\(program.usage(of: command ?? program.namedCommand(in: arguments)))\n"
        default:
            let text = program.root.fullMessage(for: error, columns: Program.columns)
            let line = text.isEmpty ? "" : text + "\n"
            code = program.root.exitCode(for: error).rawValue
            if code == 0 { output = line } else { report = line }
        }
        for word in arguments where word.utf8.contains(0x0A) { report = report.escapingLineFeeds(of: word) }
        guard command == nil, code == ProgramExit.usage.rawValue else { return }
        if let error = program.misspelledCommand(in: arguments) {
            report = "Error: \(error.message)\n\(program.usage(of: program.namedCommand(in: arguments)))\n"
            return
        }
        let advice = program.advice(for: arguments)
        guard !advice.isEmpty, let usage = report.firstRange(of: "Usage: ") else { return }
        report = advice.map { "Error: \($0)\n" }.joined() + report[usage.lowerBound...]
    }

    /// A successful end with this output.
    package init(output: String) { (self.output, code) = (output, 0) }

    /// The text for standard error. Words of the command line are part of it, so nothing in it controls a terminal.
    package var errors: String { report.withoutControls }

    package func endProcess() -> Never {
        var code = code
        do throws(OutputError) {
            if isBrokenPipe { throw OutputError(code: OutputError.brokenPipe) }
            try Output.standard.write(output.pathBytes)
        } catch {
            if error.isBrokenPipe { StandardStreams.endByBrokenPipe() }
            Output.error.writeLine("Error: \(error)")
            code = ProgramExit.output.rawValue
        }
        // A path that is not UTF-8 appears as the user wrote it.
        // There is no other place to report that standard error cannot be written.
        try? Output.error.write(errors.pathBytes)
        StandardStreams.endProcess(code)
    }
}

extension String {
    /// The text with `\n` for the line feeds of an argument that it repeats, or of the value of an option.
    fileprivate func escapingLineFeeds(of argument: String) -> String {
        let value = argument.unicodeScalars.firstIndex(of: "=").map { String(argument[$0...].dropFirst()) }
        return [argument, value].compactMap(\.self).reduce(self) { text, word in
            // The report itself has white space: a word of nothing else is replaced only where it is quoted.
            let quote = word.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? "'" : ""
            let escaped = word.unicodeScalars.replacing("\n".unicodeScalars, with: "\\n".unicodeScalars)
            let found = (quote + word + quote).unicodeScalars
            return String(text.unicodeScalars.replacing(found, with: (quote + String(escaped) + quote).unicodeScalars))
        }
    }

    /// The text with U+FFFD for each control character but a line feed and a tab, and for what changes the direction of text.
    fileprivate var withoutControls: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isHarmful ? "\u{FFFD}" : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var isHarmful: Bool {
        switch value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
