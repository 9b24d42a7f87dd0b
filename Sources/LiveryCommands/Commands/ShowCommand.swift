// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigWire
import Files
import Programs

/// A kind of entries beside the values: its commands are below its own name, such as `livery rule`.
protocol NamedEntryFamily: EntryFamily {
    static var names: (one: String, several: String) { get }
    static var showText: String { get }
    static var unsetText: String { get }
}

struct ShowCommand<Family: NamedEntryFamily>: OperatorCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "show",
            abstract: "Print a \(Family.kind.rawValue).",
            usage: "\(Family.command) show <\(Family.name)> [<options>]",
            discussion: """
                Prints JSON in the format that `\(Family.command) set` reads. \(Family.showText)

                As JSON, with --details: {"namespace": …, \(Family.kind.entryShape.dropFirst()).
                """
        )
    }

    @Argument(
        help: ArgumentHelp("\(Family.names.one)", valueName: Family.name),
        completion: KeyCompletion.names(of: Family.kind)
    )
    var name: String

    @OptionGroup var access: ServerOptions
    @OptionGroup var form: EntryOutputOptions

    func check() throws(ConfigError) { try Family.kind.check(name) }

    func run(in session: OperatorSession) async throws {
        let entry = try await session.client.entry(name, Family.kind)
        if form.content == .details { return try session.writeJSON(entry) }
        try session.writeJSON(Array(entry.value.canonicalJSON.utf8))
    }
}

struct RemoveCommand<Family: NamedEntryFamily>: PublishingCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "unset",
            abstract: "Remove one or more \(Family.kind.listName), as one revision.",
            usage: "\(Family.command) unset <\(Family.name)> ... [<options>]",
            discussion: """
                The \(Family.kind.listName) remain in the history. If one of them does not exist, none is removed and \
                the exit code is 1. \(Family.unsetText)

                As JSON: \(EntryKind.changesShape(of: Family.kind, new: "null")).
                """
        )
    }

    @Argument(
        help: ArgumentHelp("\(Family.names.several)", valueName: Family.name),
        completion: KeyCompletion.names(of: Family.kind)
    )
    var names: [String]

    @Flag(help: ArgumentHelp("Ignore \(Family.kind.listName) that do not exist."))
    var ignoreMissing = false

    @OptionGroup var writing: PublishOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    var publishing: PublishOptions { writing }

    func check() throws(ConfigError) { try Family.kind.check(names) }

    func run(in session: OperatorSession) async throws {
        try await session.remove(names, of: Family.kind, ignoringMissing: ignoreMissing, writing)
    }
}
