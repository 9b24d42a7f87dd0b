package import ArgumentParser
internal import Files

/// What a program says last, and what it ends with: a value, so that it can be looked at before it is so.
package struct Ending: Hashable, Sendable {
    /// For standard output.
    package var output = ""
    /// For standard error.
    package var errors = ""
    /// The exit code.
    package var code: Int32 = 0
    /// Whether nothing is to be said and the parent is to see SIGPIPE: the reader of the output has gone.
    package var isBrokenPipe = false

    /// How a program ends that met an error, or was asked for its help or version.
    ///
    /// - Parameters:
    ///   - error: what was thrown.
    ///   - program: which program.
    ///   - command: the command that ran, if one did; its usage is shown where the error is one of usage.
    package init(_ error: any Error, of program: Program, command: (any ParsableCommand.Type)? = nil) {
        switch error {
        case let failure as ProgramFailure:
            code = failure.exit.rawValue
            if !failure.message.isEmpty { errors = "\(program.prefix)\(failure.message)\n" }
        case let error as OutputError:
            code = ProgramExit.output.rawValue
            isBrokenPipe = error.isBrokenPipe
            errors = error.isBrokenPipe ? "" : "\(program.prefix)\(error)\n"
        case let error as ValidationError where command != nil:
            code = ProgramExit.usage.rawValue
            errors = "Error: \(error.message)\n\(program.usage(of: command ?? program.root))\n"
        default:
            take(parserError: error, of: program)
        }
    }

    private mutating func take(parserError error: any Error, of program: Program) {
        let text = program.root.fullMessage(for: error, columns: Program.columns)
        let line = text.isEmpty ? "" : text + "\n"
        code = program.root.exitCode(for: error).rawValue
        if code == 0 { output = line } else { errors = line }
    }

    /// Says instead of what the parser found that options belong elsewhere, which is why it found that.
    package mutating func advise(_ lines: [String]) {
        guard !lines.isEmpty, let usage = errors.firstRange(of: "Usage: ") else { return }
        errors = lines.map { "Error: \($0)\n" }.joined() + errors[usage.lowerBound...]
    }

    /// Says it, and ends the process.
    package func endProcess() -> Never {
        var code = code
        do throws(OutputError) {
            if isBrokenPipe { throw OutputError(code: OutputError.brokenPipe) }
            try Output.standard.write(output)
        } catch {
            if error.isBrokenPipe { StandardStreams.endByBrokenPipe() }
            Output.error.writeLine("Error: \(error)")
            code = ProgramExit.output.rawValue
        }
        try? Output.error.write(errors)
        StandardStreams.endProcess(code)
    }
}
