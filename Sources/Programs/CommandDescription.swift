// SPDX-License-Identifier: Apache-2.0

internal import Essentials

/// A command as the parser describes it: its arguments and its subcommands.
struct CommandDescription: Decodable {
    /// An option, a flag or a positional argument.
    struct Argument: Decodable {
        enum Kind: String, Decodable { case positional, option, flag }

        var kind: Kind
        var names: [Name]?
        var abstract: String?
        var isRepeating: Bool
        var shouldDisplay: Bool
        var completionKind: ValueKind?

        /// The names with their dashes; none for a positional argument.
        var dashedNames: [String] { (names ?? []).map(\.spelled) }
    }

    struct Name: Decodable {
        var kind, name: String

        var isLong: Bool { kind == "long" }
        var spelled: String { isLong ? "--\(name)" : "-\(name)" }
    }

    /// The values of an argument; none of the members for values that nothing completes.
    struct ValueKind: Decodable {
        struct Files: Decodable { var extensions: [String] }
        struct Choices: Decodable { var values: [String] }
        struct Custom: Decodable {}

        var file: Files?
        var list: Choices?
        var custom: Custom?
    }

    var commandName: String
    var abstract: String?
    var shouldDisplay: Bool
    var arguments: [Argument]?
    /// The name of the command that runs where none is named.
    var defaultSubcommand: String?
    var subcommands: [CommandDescription]?

    /// - Parameter dump: the parser's own description, as JSON; `nil` if it has another form.
    init?(dump: String) {
        struct Dump: Decodable { var command: CommandDescription }
        guard let dump = try? JSONDecoder().decode(Dump.self, from: Data(dump.utf8)) else { return nil }
        self = dump.command
    }

    var positionals: [Argument] { (arguments ?? []).filter { $0.kind == .positional } }

    func subcommand(_ name: String) -> CommandDescription? { subcommands?.first { $0.commandName == name } }
}
