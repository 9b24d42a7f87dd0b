// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import ConfigChanges
import ConfigClient
package import ConfigModel
import ConfigWire
import Essentials
import Files
package import Programs
import TerminalUI

/// A command that may wait, and works on the main actor.
package protocol LiveryCommand: ParsableCommand {
    @MainActor
    func execute() async throws
}

extension ConfigError {
    /// The cause and the next step, in one line that is safe on any terminal.
    var sentence: String {
        let advice = code == .unauthorized ? "; store a token with `livery login`, or pass --token-file" : ""
        return (description + advice).sanitized()
    }

    /// The sentence, and a line for each violation of a schema.
    package var failure: ProgramFailure {
        ProgramFailure(code.exit, ([sentence] + violations.map(\.line)).joined(separator: "\n"))
    }
}

/// A command that sends requests to a server.
protocol OperatorCommand: LiveryCommand {
    var access: ServerOptions { get }
    /// The output options; the default for a command with a single form.
    var output: OutputOptions { get }

    /// Checks the arguments before any request.
    func check() throws(ConfigError)

    /// - Throws: `ConfigError`, which decides the program's exit code; `ProgramFailure` where the exit code is the answer.
    @MainActor
    func run(in session: OperatorSession) async throws
}

extension OperatorCommand {
    var output: OutputOptions { OutputOptions.standard }

    func check() throws(ConfigError) {}

    @MainActor
    func execute() async throws {
        try check()
        let environment = Program.environment
        let style = OutputStyle(output, environment: environment)
        var client = try access.client(environment: environment)
        let writing = self as? any WritingCommand
        client.emergency = writing?.emergency
        if let seen = access.seen { try await client.expect(seen) }
        let session = OperatorSession(client: client, style: style)
        do {
            try await run(in: session)
        } catch {
            throw await session.explaining(try writing?.advised(error, arguments: Program.arguments()) ?? error)
        }
        await session.reportNamespace()
    }
}

extension ServerClient {
    /// Accepts no answer from now on that is older than a revision; `unavailable` if the server has not received it
    /// yet.
    fileprivate func expect(_ revision: UInt64) async throws(ConfigError) {
        let first = try await info().head
        remember(RevisionCursor(epoch: first.epoch, revision: revision))
        if first.revision >= revision { return }
        // Another server on the store may have made it: this one gets time to catch up.
        let head = try await info().head
        guard head.revision < revision else { return }
        throw ConfigError(.notFound, "revision \(revision) not found; the server is at revision \(head.revision)")
    }
}

/// The environment of a command: the server and the output.
struct OperatorSession {
    let client: ServerClient
    let style: OutputStyle

    func write(_ lines: [[Span]]) throws {
        try Output.standard.write(lines.map(style.line).joined())
    }

    func write(_ text: String, _ role: Span.Role = .plain) throws { try write([[Span(text, role)]]) }

    /// Writes a JSON object for programs, indented for people.
    func writeJSON(_ members: (inout JSONWriter) -> Void) throws {
        var json = JSONWriter()
        json.object(members)
        try writeJSON(json.bytes)
    }

    /// Writes a JSON object that begins with the namespace.
    func writeResult(_ members: (inout JSONWriter) -> Void) throws {
        try writeJSON { object in
            object.member("namespace") { $0.string(client.address.namespace) }
            members(&object)
        }
    }

    /// Writes a list of entries, all or some of those of the namespace at a revision.
    func write(_ entries: [EntryMessage], of kind: EntryKind, at revision: UInt64, _ table: TextTable) throws {
        if style.isJSON {
            return try writeResult { object in
                object.member("revision") { $0.number(revision) }
                object.member(kind.listName, each: entries) { $1.raw(String(decoding: $0.json, as: UTF8.self)) }
            }
        }
        try Output.standard.write(table.text(style: style))
        try write("Revision \(revision).", .faint)
    }

    /// Writes an entry with its revision and times as JSON.
    func writeJSON(_ entry: EntryMessage) throws { try writeResult(entry.writeMembers) }

    /// Writes JSON that has no white space yet.
    func writeJSON(_ json: [UInt8]) throws {
        try Output.standard.write(style.json(PrettyJSON.laidOut(json)))
    }
}

extension OperatorSession {
    /// Reports the outcome of a write or a dry run: each change, none if the entries were up to date, and the revision.
    ///
    /// - Parameter kind: the kind of the entries that may have changed, of which values have rules; `nil` for all.
    func report(_ diff: ConfigDiff, of kind: EntryKind? = .value, revision: UInt64, dryRun: Bool) throws {
        if style.isJSON {
            return try writeResult { object in
                object.member("revision") { $0.number(revision) }
                for kind in EntryKind.changed(with: kind) { diff.write(kind, to: &object) }
                object.member("dry_run") { $0.boolean(dryRun) }
            }
        }
        let end =
            diff.isEmpty
            ? "Up to date at revision \(revision)."
            : dryRun ? "Dry run at revision \(revision), nothing written." : "Revision \(revision)."
        try write(excerpt(of: diff) + [[Span(end, .faint)]])
    }

    /// The lines of a difference, the first of them where there are too many keys to read. Each schema and each rule has a line:
    /// it decides over many values.
    func excerpt(of diff: ConfigDiff, atMost limit: Int = 40) -> [[Span]] {
        let count = diff.values.count
        guard count > limit else { return diff.lines(style: style) }
        let start = diff.values.prefix(limit / 2).map { $0.line(style: style) }
        let rest = [Span("… and \((count - limit / 2).grouped) more keys", .faint)]
        return start + [rest] + diff.changes.dropFirst(count).map { $0.line(style: style) }
    }
}

extension OperatorSession {
    /// Reports on standard error how a text was read without `--type`, if the value differs from it.
    func note(on text: String, readAs value: EntryValue, for name: String) {
        warn(ValueKind.note(on: text, readAs: value).map { "\(name) = \($0)" })
    }

    /// Prints a warning, or a note, on standard error.
    func warn(_ warning: String?) {
        if let warning { Output.error.writeLine(warning.sanitized()) }
    }
}
