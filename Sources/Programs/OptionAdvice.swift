internal import ArgumentParser
internal import Foundation

/// Says where the options belong that a command line gives to a command that has none of these names.
package struct OptionAdvice {
    private let program: Program
    private let tree: CommandOptions

    /// Collects the options of all commands of a program.
    package init(_ program: Program) {
        self.program = program
        tree = CommandOptions(dump: program.root._dumpHelp())
    }

    /// A line for each option that belongs elsewhere.
    ///
    /// - Parameter arguments: the command line, without the program's name.
    package func lines(for arguments: [String]) -> [String] {
        let path = tree.path(of: arguments)
        let own = Set(path.last?.options ?? [])
        var seen: Set<String> = []
        return arguments.prefix { $0 != "--" }.compactMap { argument in
            guard argument.hasPrefix("--") else { return nil }
            let name = String(argument.prefix { $0 != "=" })
            guard !own.contains(name), seen.insert(name).inserted else { return nil }
            return line(for: name, notOf: path.map(\.name).joined(separator: " "))
        }
    }

    private func line(for name: String, notOf command: String) -> String? {
        let owners = tree.owners(of: name)
        guard let first = owners.first else { return nil }
        let others = owners.count > 1 ? " and others" : ""
        let hint = program.hints[name].map { "; \($0)" } ?? ""
        return "\(name) belongs to \(first)\(others), and not to '\(command)'\(hint)."
    }
}

/// A command, its options and its subcommands.
struct CommandOptions: Decodable {
    private struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }
        var names: [Name]?
    }

    private struct Dump: Decodable { var command: CommandOptions }

    private let commandName: String
    private let arguments: [Argument]?
    private let subcommands: [CommandOptions]?

    /// How it is called.
    var name: String { commandName }

    /// Reads what the parser tells of a program; a command without options if that is in no form known.
    init(dump: String) {
        let dump = try? JSONDecoder().decode(Dump.self, from: Data(dump.utf8))
        self = dump?.command ?? CommandOptions(commandName: "", arguments: nil, subcommands: nil)
    }

    private init(commandName: String, arguments: [Argument]?, subcommands: [CommandOptions]?) {
        self.commandName = commandName
        self.arguments = arguments
        self.subcommands = subcommands
    }

    /// The long names, each with its dashes.
    var options: [String] {
        (arguments ?? []).flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map { "--\($0.name)" }
    }

    /// The commands that a command line names, from the program on.
    func path(of arguments: [String]) -> [CommandOptions] {
        guard let name = arguments.first, let next = subcommands?.first(where: { $0.commandName == name }) else {
            return [self]
        }
        return [self] + next.path(of: Array(arguments.dropFirst()))
    }

    /// The commands that have an option, as they are called, in quotes.
    func owners(of option: String) -> [String] {
        owners(of: option, after: "", isRoot: true)
    }

    private func owners(of option: String, after prefix: String, isRoot: Bool) -> [String] {
        let name = prefix + commandName
        let own = isRoot ? "'\(name)' without a command" : "'\(name)'"
        let here = options.contains(option) ? [own] : []
        return here + (subcommands ?? []).flatMap { $0.owners(of: option, after: name + " ", isRoot: false) }
    }
}
