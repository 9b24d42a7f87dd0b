internal import ArgumentParser
internal import Foundation

/// Finds the commands to which the unknown options of a command line belong.
package struct OptionAdvice {
    private let program: Program

    /// Advises on the options of a program.
    package init(_ program: Program) {
        self.program = program
    }

    /// A line for each option that belongs elsewhere.
    ///
    /// - Parameter arguments: the command line, without the program's name.
    package func lines(for arguments: [String]) -> [String] {
        let command = program.command(of: arguments)
        let own = Set(Self.options(of: command.type))
        var seen: Set<String> = []
        return arguments.prefix { $0 != "--" }.compactMap { argument in
            guard argument.hasPrefix("--") else { return nil }
            let name = String(argument.prefix { $0 != "=" })
            guard !own.contains(name), seen.insert(name).inserted else { return nil }
            return line(for: name, notOf: command.name)
        }
    }

    private func line(for name: String, notOf command: String) -> String? {
        let owners = program.commands.filter { Self.options(of: $0.type).contains(name) }
        guard let first = owners.first else { return nil }
        let isRoot = first.name == program.root._commandName
        let owner = "'\(first.name)'" + (isRoot ? " without a command" : "") + (owners.count > 1 ? " and others" : "")
        let hint = program.hints[name].map { "; \($0)" } ?? ""
        return "\(name) belongs to \(owner), and not to '\(command)'\(hint)."
    }

    /// The long names of a command's options, each with its dashes, as the parser describes them.
    private static func options(of command: any ParsableCommand.Type) -> [String] {
        let dump = try? JSONDecoder().decode(Dump.self, from: Data(command._dumpHelp().utf8))
        let names = (dump?.command.arguments ?? []).flatMap { $0.names ?? [] }
        return names.filter { $0.kind == "long" }.map { "--\($0.name)" }
    }

    private struct Dump: Decodable {
        struct Command: Decodable { var arguments: [Argument]? }
        struct Argument: Decodable { var names: [Name]? }
        struct Name: Decodable { var kind, name: String }
        var command: Command
    }
}
