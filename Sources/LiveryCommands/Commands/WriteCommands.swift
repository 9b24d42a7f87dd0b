// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigWire
import Files
import Programs
import TerminalUI

struct SetCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set keys: all of them, as one revision, or none.",
        usage: "livery set <key> <value> [<options>]\nlivery set <key>=<value> <key>:=<json> ... [<options>]",
        discussion: """
            If the key has a JSON Schema (see `livery schema`) that allows only strings, VALUE is stored as typed. Otherwise \
            a key keeps the type of its value. If that is a string, VALUE is stored as typed; if it is a number, a text \
            is an error. The value of a new key is JSON if VALUE is true or false, a number in its shortest form (1, -0.5), \
            or begins with [, { or a quotation mark; otherwise it is a string (1.10, 1e3, 01). If its schema allows no \
            string, a number may have any form of JSON. If the value is not what was typed, such as 1.1 for 1.10 where the \
            key has a number, a line on standard error reports it. --type sets the type, and KEY:=JSON that of one key.
            If a value violates the schema of its key, each violation is reported and nothing is sent.
            VALUE is rejected if it begins like JSON but is not valid, or if it contains a number that not every JSON \
            parser keeps ([1e400]); the error shows what to type instead. null is rejected too; \
            `livery unset` removes a key.
            VALUE is read from standard input for -, and from a file for @FILE, in both cases without one line break at \
            the end; --literal uses it as it is. A text that begins with a dash is given as KEY=-text.

            EXAMPLES
              livery set app.background.color '#87CEFA'
              livery set app.ratio=0.5 app.fun_button.text='Meow!' -m 'Monday mood'
              livery set app.hosts '["a.example", "b.example"]'
              livery set app.menu '[{"title": "Home", "url": "https://a.example"}]'
              livery set app.limit:=20 app.build=1.10
              livery set app.version 1.10 --type string
              livery set app.theme @theme.json --type object
              livery set app.notice @notice.txt --create
              livery set app.ratio=0.5 --dry-run

            LIMITS
            \(LimitsText.lines)

            As JSON: {"namespace": …, "revision": …, "changes": [{"key": …, "old": …, "new": …}], \
            "dry_run": …}; old is null for a new \
            key, and changes is empty if the values were up to date.
            """
    )

    @Argument(help: "KEY VALUE, or KEY=VALUE or KEY:=JSON for each of several keys.", completion: KeyCompletion.kind)
    var assignments: [String]

    @Option(
        help: ArgumentHelp("The type of the value: \(ValueKind.allCases.map(\.rawValue).joined(separator: ", ")).")
    )
    var type: ValueKind?

    @Flag(help: "Use VALUE as it is, even if it is - or begins with @.")
    var literal = false

    @Flag(help: "Write only if the key does not exist, or else exit with 75; for one key.")
    var create = false

    @OptionGroup var writing: WriteOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !assignments.isEmpty else { throw ValidationError("Expected KEY VALUE, or KEY=VALUE for each key.") }
        if create, writing.publishing.expect != nil || writing.ifMatch != nil {
            throw ValidationError("--create goes neither with --expect nor with --if-match.")
        }
        do throws(ConfigError) {
            let read = try Assignment.read(assignments, isLiteral: literal)
            if read.count > 1, create || writing.ifMatch != nil {
                throw ConfigError(.rejected, "--create and --if-match are for one key")
            }
        } catch {
            // An invalid key is not a usage error: every command ends alike after one.
            if error.code != .invalidKey { throw ValidationError(error.sentence) }
        }
    }

    func check() throws(ConfigError) {
        _ = try Assignment.read(assignments, isLiteral: literal)
    }

    func run(in session: OperatorSession) async throws {
        let assignments = try Assignment.read(assignments, isLiteral: literal)
        let texts = try assignments.map { ($0.key, try $0.origin.text(), $0.isJSON ? .json : type) }
        let present = try await session.contents(ofKeys: assignments.map(\.key))
        var values: [String: EntryValue] = [:]
        for (key, text, type) in texts {
            let value = try value(text, of: type, forKey: key, in: present)
            if type == nil, let note = ValueKind.note(on: text, readAs: value) {
                Output.error.writeLine("\(key) = \(note)".sanitized())
            }
            values[key] = value
        }
        let diff = ConfigDiff(from: present.values, to: values)
        try present.check(diff)
        let revision = try await write(values, session.client)
        try session.report(diff, revision: revision, dryRun: writing.publishing.dryRun)
        await session.warnOfRules(ofKeys: values.keys.sorted())
    }

    /// A command line of `livery set` in which a negative number after its key (`set app.offset -5`), which the parser would
    /// take for an option, is joined with it (`set app.offset=-5`).
    static func joined(_ arguments: [String]) -> [String] {
        let isNumber = { (word: String) in word.isOption && TypedText.beginsLikeJSON(word) }
        guard arguments.first == configuration.commandName, arguments.contains(where: isNumber) else {
            return arguments
        }
        let optionsWithValue = Program.optionsWithValue(of: Self.self)
        var (joined, isValue) = (Array(arguments.prefix(1)), false)
        // Where the key is whose value may follow.
        var key: Int?
        for (index, word) in arguments.enumerated().dropFirst() {
            if word == "--", !isValue { return joined + arguments[index...] }
            if !isValue, let position = key, isNumber(word) {
                joined[position] += "=\(word)"
                key = nil
                continue
            }
            if !isValue, !word.isOption { key = key == nil && KeyRule.problem(in: word) == nil ? joined.count : nil }
            joined.append(word)
            isValue = !isValue && optionsWithValue.contains(word)
        }
        return joined
    }

    private func value(
        _ text: String,
        of type: ValueKind?,
        forKey key: String,
        in present: NamespaceContents
    ) throws(ConfigError) -> EntryValue {
        do throws(ConfigError) {
            if let type { return try type.value(text) }
            return try ValueKind.value(text, like: present.values[key], schema: present.schema(forKey: key))
        } catch {
            throw error.naming(key: key)
        }
    }

    private func write(_ values: [String: EntryValue], _ client: ServerClient) async throws -> UInt64 {
        let condition: ServerClient.Condition? = create ? .isNew : try await writing.condition(on: client)
        if let condition, let (key, value) = values.first {
            if writing.publishing.dryRun { return try await client.rehearse(condition, onKey: key) }
            let request = EntryRequest(value: value, message: writing.publishing.message)
            return try await client.put(request, forKey: key, if: condition).revision
        }
        // All of them, since those that are up to date now may be changed meanwhile.
        return try await client.publish(ConfigDiff(from: [:], to: values), writing.publishing)
    }
}

extension String {
    fileprivate var isOption: Bool { utf8.first == UInt8(ascii: "-") && utf8.count > 1 }
}

extension ServerClient {
    /// Checks a condition on a key as a write would, and writes nothing.
    ///
    /// - Returns: the revision that the namespace is at.
    /// - Throws: `conflict` if it does not hold.
    fileprivate func rehearse(_ condition: Condition, onKey key: String) async throws(ConfigError) -> UInt64 {
        let now = try await rehearse()
        let revision: UInt64?
        do throws(ConfigError) {
            revision = try await entry(key).revision
        } catch {
            guard error.code == .notFound else { throw error }
            revision = nil
        }
        switch condition {
        case .isNew where revision != nil:
            throw ConfigError(.conflict, "the key exists already", key: key)
        case .isAt(let cursor) where revision != cursor.revision:
            let state = revision.map { "has the revision \($0)" } ?? "does not exist"
            throw ConfigError(.conflict, "the key \(state), not \(cursor.revision)", key: key)
        default: return now
        }
    }
}

extension Assignment.Origin {
    fileprivate func text() throws(ConfigError) -> String {
        switch self {
        case .text(let text): text
        // A value of the maximum size may be written with escapes of six characters for each of its own.
        case .file(let path): try InputFile.text(at: path, atMost: EntryValue.maximumBytes * 6)
        }
    }
}

extension ServerSnapshot {
    /// The values of keys; those that have none are missing.
    fileprivate func values(of keys: [String]) -> [String: EntryValue] {
        Dictionary(keys.compactMap { key in entries[key].map { (key, $0) } }) { $1 }
    }
}

extension OperatorSession {
    /// Warns on standard error if keys that were set have rules, since programs with a context get the values of those.
    fileprivate func warnOfRules(ofKeys keys: [String]) async {
        // The write has succeeded; without an answer there is no warning.
        var rules: [String: EntryValue] = [:]
        if keys.count == 1 {
            rules[keys[0]] = try? await client.entry(keys[0], .rule).value
        } else if let now = try? await client.snapshot() {
            rules = NamespaceContents(of: now).rules
        }
        if let warning = RuleWords.warning(onKeys: keys, rules: rules) { Output.error.writeLine(warning.sanitized()) }
    }

    /// The values that keys have now, and the schemas of the namespace. Keys that have no value are missing.
    fileprivate func contents(ofKeys keys: [String]) async throws(ConfigError) -> NamespaceContents {
        guard keys.count == 1 else {
            let now = try await client.snapshot(withSchemas: true)
            return NamespaceContents(values: now.values(of: keys), schemas: now.schemas ?? [:])
        }
        let value = try await found { () async throws(ConfigError) in try await client.entry(keys[0]).value }
        // A server that has no schemas yet does not find them.
        let schemas =
            try await found { () async throws(ConfigError) in try await client.entries(.schema).entries } ?? []
        return NamespaceContents(
            values: value.map { [keys[0]: $0] } ?? [:],
            schemas: Dictionary(schemas.map { ($0.key, $0.value) }) { $1 }
        )
    }

    private func found<Content>(
        _ read: () async throws(ConfigError) -> Content
    ) async throws(ConfigError) -> Content? {
        do throws(ConfigError) {
            return try await read()
        } catch {
            if error.code == .notFound { return nil }
            throw error
        }
    }
}

struct UnsetCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset",
        abstract: "Remove keys: all of them, as one revision, or none.",
        usage: "livery unset <key> ... [<options>]\nlivery unset --prefix <prefix> [<options>]",
        discussion: """
            The values stay in the history. If one of the keys does not exist, none is removed and the exit code is 1.
            --prefix removes every key that begins with PREFIX; without any, the exit code is 1 as well. If these are all \
            keys of the namespace, nothing is removed unless --remove-all is given. If another writer changes the \
            namespace meanwhile, the keys are read again, unless --expect is given. Rules and schemas stay.

            EXAMPLES
              livery unset app.notice
              livery unset --prefix app.beta. --dry-run

            As JSON: {"namespace": …, "revision": …, "changes": [{"key": …, "old": …, "new": null}], \
            "dry_run": …}.
            """
    )

    @Argument(help: "The keys.", completion: KeyCompletion.kind)
    var keys: [String] = []

    @Option(help: ArgumentHelp("Remove all keys that begin with this.", valueName: "prefix"))
    var prefix: String?

    @Flag(help: "Ignore keys that do not exist.")
    var ignoreMissing = false

    @OptionGroup var removal: RemovalOptions
    @OptionGroup var writing: WriteOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if keys.isEmpty == (prefix == nil) { throw ValidationError("Expected the keys, or --prefix PREFIX.") }
        if prefix?.isEmpty == true { throw ValidationError("--prefix is empty.") }
        if removal.removeAll, prefix == nil { throw ValidationError("\(RemovalOptions.flag) requires --prefix.") }
        if writing.ifMatch != nil, keys.count != 1 { throw ValidationError("--if-match is for one key.") }
        if writing.ifMatch != nil, writing.publishing.message != nil {
            throw ValidationError("--message does not go with --if-match; use --expect with the namespace's revision.")
        }
    }

    func check() throws(ConfigError) {
        for key in keys { try Assignment.check(key) }
    }

    func run(in session: OperatorSession) async throws {
        if let prefix {
            let removed = try await remove(prefix: prefix, session.client)
            return try session.report(removed.diff, revision: removed.revision, dryRun: writing.publishing.dryRun)
        }
        let snapshot = try await session.client.snapshot()
        let former = snapshot.values(of: keys)
        if !ignoreMissing, let missing = keys.first(where: { former[$0] == nil }) {
            throw ConfigError(.notFound, "no such key; nothing was removed", key: missing)
        }
        let diff = ConfigDiff(from: former, to: [:])
        let revision = try await remove(diff, session.client) ?? snapshot.cursor.revision
        try session.report(diff, revision: revision, dryRun: writing.publishing.dryRun)
    }

    private func remove(
        prefix: String,
        _ client: ServerClient
    ) async throws(ConfigError) -> (diff: ConfigDiff, revision: UInt64) {
        try await ServerClient.retrying(writing.publishing.expect == nil) { () async throws(ConfigError) in
            let now = try await client.snapshot()
            let present = NamespaceContents(of: now)
            let former = present.values.filter { $0.key.utf8.starts(with: prefix.utf8) }
            if former.isEmpty, !ignoreMissing {
                throw ConfigError(.notFound, "no key begins with '\(prefix)'; nothing was removed")
            }
            let diff = ConfigDiff(from: former, to: [:])
            if !removal.removeAll { try present.refuseRemovingAll(diff, by: "--prefix \(prefix)") }
            var publishing = writing.publishing
            publishing.expect = publishing.expect ?? now.cursor.revision
            return (diff, try await client.publish(diff, publishing))
        }
    }

    /// - Returns: the revision that it became, if it is known.
    private func remove(_ diff: ConfigDiff, _ client: ServerClient) async throws -> UInt64? {
        guard writing.ifMatch != nil else {
            return try await client.publish(diff, writing.publishing)
        }
        // Without a key there is nothing that the condition applies to.
        guard let key = diff.changes.first?.key, let condition = try await writing.condition(on: client)
        else { return nil }
        if writing.publishing.dryRun { return try await client.rehearse(condition, onKey: key) }
        try await client.delete(key, if: condition)
        // The answer to a DELETE is empty; the history has the revision.
        return try await client.history(of: key, limit: 1).records.first?.revision
    }
}
