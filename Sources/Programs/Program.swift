package import ArgumentParser

/// A program with commands, as far as its command line goes.
package struct Program: Sendable {
    /// The command that the others belong to.
    package let root: any ParsableCommand.Type
    /// What its messages begin with.
    package let prefix: String
    /// What to say beside where an option belongs, for the options that people take for others.
    package let hints: [String: String]

    /// Describes a program.
    package init(_ root: any ParsableCommand.Type, prefix: String = "Error: ", hints: [String: String] = [:]) {
        self.root = root
        self.prefix = prefix
        self.hints = hints
    }

    /// How wide help is: what is laid out by hand in it needs so much, and no terminal has less by default.
    static let columns = 80

    /// A command and how it is called, such as `livery set`.
    struct Command {
        let name: String
        let type: any ParsableCommand.Type

        /// The commands below it.
        var subcommands: [Command] {
            type.configuration.subcommands.map { Command(name: "\(name) \($0._commandName)", type: $0) }
        }

        /// The one below it that a word names.
        func subcommand(_ word: String?) -> Command? { subcommands.first { $0.type._commandName == word } }
    }

    /// All commands, the program itself first.
    var commands: [Command] {
        func all(_ command: Command) -> [Command] { [command] + command.subcommands.flatMap(all) }
        return all(Command(name: root._commandName, type: root))
    }

    /// The command that a command line names; where it names none, the default one counts.
    func command(of arguments: [String]) -> Command {
        var command = Command(name: root._commandName, type: root)
        var words = arguments[...]
        while let next = command.subcommand(words.first) {
            command = next
            words.removeFirst()
        }
        return command.subcommand(command.type.configuration.defaultSubcommand?._commandName) ?? command
    }

    /// The lines that say how a command is used.
    func usage(of command: any ParsableCommand.Type) -> String {
        let usage = root.usageString(for: command).replacing("\n", with: "\n       ")
        let name = commands.first { $0.type == command }?.name ?? root._commandName
        return "Usage: \(usage)\n  See '\(name) --help' for more information."
    }

    /// Looks at a command line before the parser does.
    ///
    /// - Throws: a `ValidationError` for the help of a command that there is not; the parser would show the program's.
    package func checkHelpTopic(_ arguments: [String]) throws(ValidationError) {
        guard arguments.first == "help" else { return }
        var command = Command(name: root._commandName, type: root)
        for name in arguments.dropFirst() where !name.hasPrefix("-") {
            guard let next = command.subcommand(name) else {
                let list = "'\(root._commandName) --help' lists those there are"
                throw ValidationError("There is no command '\(name)'; \(list).")
            }
            command = next
        }
    }
}
