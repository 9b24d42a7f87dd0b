// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
internal import Basics
internal import Essentials
internal import Files

package struct Program: Sendable {
    let root: any ParsableCommand.Type
    package let prefix: String
    /// Hints for options that people confuse with others, by the name of the option.
    private let hints: [String: String]

    package init(_ root: any ParsableCommand.Type, prefix: String = "Error: ", hints: [String: String] = [:]) {
        (self.root, self.prefix, self.hints) = (root, prefix, hints)
    }

    /// The arguments of this process, without the program's name. One that is not UTF-8 contains its bytes, since it may name a
    /// file; anything but a path must be rejected then (``checkIsText(_:_:)``).
    ///
    /// - Throws: a `ProgramFailure` where neither the runtime nor the system has them, as without `/proc`. An empty command line
    ///   is valid for both programs, such as to serve without tokens.
    package static func arguments() throws(ProgramFailure) -> [String] {
        let known = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        let all = known.isEmpty ? try argumentsOfSystem() : known.compactMap { $0.map { String(path: $0) } }
        // The first one is the name.
        return separated(Array(all.dropFirst()))
    }

    /// The arguments where the runtime does not find them, as under some libraries of `LD_PRELOAD`, such as libfaketime.
    private static func argumentsOfSystem() throws(ProgramFailure) -> [String] {
        let path = "/proc/self/cmdline"
        do throws(FileError) {
            // Each ends with a zero.
            let words = try FileContent(reading: path, atMost: 64 * 1024 * 1024).bytes
                .split(separator: 0, omittingEmptySubsequences: false)
            return words.dropLast().map { String(pathBytes: $0) }
        } catch {
            let message = "cannot read the arguments of this process: \(path): \(error.reason)"
            throw ProgramFailure(.usage, message + "; mount /proc, raise the limit of open files, or unset LD_PRELOAD")
        }
    }

    /// The environment of this process. A value that is not UTF-8 contains its bytes, as an argument does.
    package static var environment: [String: String] {
        ProcessInfo.processInfo.environment.reduce(into: [:]) { $0[$1.key] = $1.value.withBytes(ofVariable: $1.key) }
    }

    /// The same arguments with the name and the value of an option apart where the value begins with a mark that combines
    /// with the sign between them: the parser looks for the sign by characters.
    package static func separated(_ arguments: [String]) -> [String] {
        let options = arguments.prefix { $0 != "--" }
        let apart = options.flatMap { argument -> [String] in
            let scalars = argument.unicodeScalars
            guard argument.isLongOption, let sign = scalars.firstIndex(of: "="), argument.firstIndex(of: "=") != sign
            else {
                return [argument]
            }
            return [String(scalars[..<sign]), String(scalars[sign...].dropFirst())]
        }
        return apart + arguments[options.endIndex...]
    }

    /// - Throws: a `ValidationError` if an argument that is no path is not UTF-8.
    package static func checkIsText(_ argument: String, _ name: String) throws(ValidationError) {
        if argument.carriesBytes { throw ValidationError("\(name) is not valid UTF-8; check the terminal's encoding.") }
    }

    /// The width of the help: its manual layout needs it, and no terminal has less by default.
    static let columns = 80

    /// A command and its full name, such as `livery set`.
    private struct Command {
        let name: String
        let type: any ParsableCommand.Type

        var subcommands: [Command] {
            type.configuration.subcommands.map { Command(name: "\(name) \($0._commandName)", type: $0) }
        }

        func subcommand(_ word: String?) -> Command? { subcommands.first { $0.type._commandName == word } }
    }

    private var rootCommand: Command { Command(name: root._commandName, type: root) }

    private var commands: [Command] {
        func all(_ command: Command) -> [Command] { [command] + command.subcommands.flatMap(all) }
        return all(rootCommand)
    }

    func usage(of command: any ParsableCommand.Type) -> String {
        let usage = root.usageString(for: command).replacing("\n", with: "\n       ")
        let name = commands.first { $0.type == command }?.name ?? root._commandName
        return "Usage: \(usage)\n  See '\(name) --help' for more information."
    }

    /// Checks a command line before the parser does.
    ///
    /// - Throws: a `ValidationError` for the help of an unknown command, where the parser would show the program's, and
    ///   for an unknown subcommand of a command that has no other arguments, such as a program with a default command.
    package func checkCommand(_ arguments: [String]) throws(ValidationError) {
        let isHelp = arguments.first == "help"
        var command = rootCommand
        for name in arguments.dropFirst(isHelp ? 1 : 0) where !name.hasPrefix("-") || !isHelp {
            if let next = command.subcommand(name) {
                command = next
                continue
            }
            // A program with a default command has no arguments; a command with one has those of it.
            let hasDefault = command.type.configuration.defaultSubcommand != nil
            let isGroup = !command.subcommands.isEmpty && (command.type == root) == hasDefault
            guard isHelp || isGroup, !name.hasPrefix("-"), name != "help" else { return }
            throw unknown(name, in: command)
        }
    }

    /// The error in a word that the default command of a group has taken for its argument, such as in `rollout finsih key`;
    /// `nil` if no subcommand has a similar name.
    func misspelledCommand(in arguments: [String]) -> ValidationError? {
        let (command, rest) = named(in: arguments)
        guard command.type.configuration.defaultSubcommand != nil, let word = rest.first,
            !word.hasPrefix("-"), word.suggestion(of: command.subcommands.map { $0.type._commandName }) != nil
        else { return nil }
        return unknown(word, in: command)
    }

    private func unknown(_ name: String, in command: Command) -> ValidationError {
        let similar = name.suggestion(of: command.subcommands.map { $0.type._commandName })
        let advice = similar.map { "did you mean '\($0)'?" } ?? "'\(command.name) --help' lists the commands."
        return ValidationError("Unknown command '\(name)'; \(advice)")
    }
}

// MARK: Options of other commands

extension Program {
    /// A line for each option of a command line that belongs to other commands than the one that it names.
    func advice(for arguments: [String]) -> [String] {
        let command = command(of: arguments)
        let own = Set(Self.options(of: command))
        var seen: Set<String> = []
        return arguments.prefix { $0 != "--" }.compactMap { argument in
            guard argument.isLongOption else { return nil }
            let name = String(argument.unicodeScalars.prefix { $0 != "=" })
            guard !own.contains(name), seen.insert(name).inserted else { return nil }
            return line(for: name, notOf: command.name)
        }
    }

    /// The command that a command line names, or else the default command.
    private func command(of arguments: [String]) -> Command {
        let command = named(in: arguments).command
        return command.subcommand(command.type.configuration.defaultSubcommand?._commandName) ?? command
    }

    /// The command that a command line names, or whose help it requests.
    func namedCommand(in arguments: [String]) -> any ParsableCommand.Type { named(in: arguments).command.type }

    private func named(in arguments: [String]) -> (command: Command, rest: ArraySlice<String>) {
        var command = rootCommand
        var words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
        while let next = command.subcommand(words.first) {
            command = next
            words.removeFirst()
        }
        return (command, words)
    }

    private func line(for name: String, notOf command: String) -> String? {
        let owners = commands.filter { Self.options(of: $0).contains(name) }
        guard let first = owners.first else { return nil }
        let isRoot = first.name == root._commandName
        let owner = "'\(first.name)'" + (isRoot ? " without a command" : "") + (owners.count > 1 ? " and others" : "")
        let hint = hints[name].map { "; \($0)" } ?? ""
        return "\(name) is an option of \(owner), not of '\(command)'\(hint)."
    }

    /// The names of a command's options that take a value, each with its dashes.
    package static func optionsWithValue(of command: any ParsableCommand.Type) -> Set<String> {
        let arguments = CommandDescription(dump: command._dumpHelp())?.arguments ?? []
        return Set(arguments.filter { $0.kind == .option }.flatMap(\.dashedNames))
    }

    /// The long names of a command's options, each with its dashes, as the parser describes them.
    private static func options(of command: Command) -> [String] {
        let arguments = CommandDescription(dump: command.type._dumpHelp())?.arguments ?? []
        return arguments.flatMap { $0.names ?? [] }.filter(\.isLong).map(\.spelled)
    }
}

extension String {
    fileprivate var isLongOption: Bool { utf8.starts(with: "--".utf8) }
}
