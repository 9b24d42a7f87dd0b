// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire
import Programs

struct SetCommand: PublishingCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set one or more keys, as one revision.",
        usage: "livery set <key> <value> [<options>]\nlivery set <key>=<value> <key>:=<json> ... [<options>]",
        discussion: """
            If the key has a JSON Schema (see `livery schema`) that allows only strings, VALUE is stored as typed. \
            Otherwise a key keeps the type of its value: VALUE is stored as typed for a string, and must be a number \
            for a number. The value of a new key is JSON if VALUE is true or false, a number in its shortest form (1, \
            -0.5), or begins with [, { or a quotation mark; otherwise it is a string (1.10, 1e3, 01). If its schema \
            does not allow strings, VALUE may be any JSON number. If the stored value differs from the typed one, such \
            as 1.1 for 1.10 as a number, a note is printed on standard error. --type sets the type for all keys, \
            KEY:=JSON sets JSON for one key.
            If a value violates the schema of its key, each violation is reported and nothing is sent.
            VALUE is rejected if it begins like JSON but is invalid, or if it contains a number that JSON parsers do \
            not preserve ([1e400]); the error shows what to type instead. null is rejected too; use `livery unset` to \
            remove a key.
            - reads VALUE from standard input and @FILE reads it from a file, both without one trailing line break; \
            --literal disables this. A value that is read from there and is JSON, such as of `livery get --json`, keeps \
            its type; if the current value has another type, nothing is written, unless --type sets the type. To set a \
            string that begins with a dash, use KEY=-text.

            EXAMPLES
              livery set app.background.color '#87CEFA'
              livery set app.ratio=0.5 app.fun_button.text='Meow!' -m 'Monday mood'
              livery set app.hosts '["a.example", "b.example"]'
              livery set app.menu '[{"title": "Home", "url": "https://a.example"}]'
              livery set app.limit:=20 app.build=1.10
              livery set app.version 1.10 --type string
              livery set app.theme @theme.json --type object
              livery set app.notice @notice.txt --create
              livery get app.menu --json | livery set app.copy -
              livery set app.ratio=0.5 --dry-run

            LIMITS
            \(LimitsText.lines)

            As JSON: \(EntryKind.changesShape(of: .value)); old is null for a new key, and changes is empty if all values \
            were up to date.
            """
    )

    @Argument(
        help: "KEY VALUE, or KEY=VALUE or KEY:=JSON for each of several keys.",
        completion: KeyCompletion.names(of: .value) { !SetCommand.isValue(lastOf: $0) }
    )
    var assignments: [String]

    @OptionGroup var typing: ValueKindOption

    @Flag(help: "Use VALUE literally, even if it is - or begins with @.")
    var literal = false

    @Flag(help: "Write only if the key does not exist, else exit with 75; for one key.")
    var create = false

    @OptionGroup var writing: WriteOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    var publishing: PublishOptions { writing.publishing }

    func validate() throws {
        guard !assignments.isEmpty else { throw ValidationError("Expected KEY VALUE, or KEY=VALUE for each key.") }
        if create, writing.publishing.expect != nil || writing.ifMatch != nil {
            throw ValidationError("--create cannot be combined with --expect or --if-match.")
        }
        if create, proposal.draft != nil { throw ValidationError("--create and --draft are mutually exclusive.") }
        do throws(ConfigError) {
            let read = try Assignment.read(assignments, isLiteral: literal)
            if read.count > 1, create || writing.ifMatch != nil {
                throw ConfigError(.rejected, "--create and --if-match accept only one key")
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
        let assignments = try TypedAssignments(assignments, as: typing.type, isLiteral: literal)
        if publishing.proposal.draft != nil {
            try await session.change(.value, publishing) { present throws(ConfigError) in
                ConfigDiff(setting: try assignments.values(in: present, of: session), in: present)
            }
            return
        }
        let present = try await session.contents(ofKeys: assignments.keys)
        let values = try assignments.values(in: present, of: session)
        let diff = ConfigDiff(setting: values, in: present)
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
        // The position of the key whose value may follow.
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

    /// Whether the last word of a command line of `livery set` is the value of the key before it.
    static func isValue(lastOf words: [String]) -> Bool {
        let optionsWithValue = Program.optionsWithValue(of: Self.self)
        var (arguments, isOfOption) = ([String](), false)
        for word in words.dropFirst().dropLast() {
            if !isOfOption, !word.isOption { arguments.append(word) }
            isOfOption = !isOfOption && optionsWithValue.contains(word)
        }
        return arguments.count == 1 && !arguments[0].unicodeScalars.contains("=")
    }

    private func write(_ values: [String: EntryValue], _ client: ServerClient) async throws -> UInt64 {
        let condition: ServerClient.Condition? = create ? .isNew : try await writing.condition(on: client)
        if let condition, let (key, value) = values.first {
            if writing.publishing.dryRun { return try await client.dryRun(condition, onKey: key) }
            let request = EntryRequest(value: value, message: writing.publishing.message)
            return try await client.put(request, forKey: key, if: condition).revision
        }
        // All of them, since unchanged values may be changed by others before the write.
        return try await client.publish(ConfigDiff(from: [:], to: values), writing.publishing)
    }
}

extension String {
    fileprivate var isOption: Bool { utf8.first == UInt8(ascii: "-") && utf8.count > 1 }
}

/// The assignments of a command line, with the texts of files.
struct TypedAssignments {
    private let texts: [(assignment: Assignment, text: String, type: ValueKind?)]

    /// - Parameter type: the type of values without `:=`; `nil` to find it out.
    init(_ words: [String], as type: ValueKind? = nil, isLiteral: Bool = false) throws {
        texts = try Assignment.read(words, isLiteral: isLiteral).map {
            ($0, try $0.origin.text(), $0.isJSON ? .json : type)
        }
    }

    var keys: [String] { texts.map(\.assignment.key) }

    /// The values by key, with a note on each value that differs from its text.
    func values(
        in present: NamespaceContents,
        of session: OperatorSession
    ) throws(ConfigError) -> [String: EntryValue] {
        var values: [String: EntryValue] = [:]
        for (assignment, text, type) in texts {
            let key = assignment.key
            let value = try present.value(of: text, as: type, forKey: key, isTyped: assignment.origin.isTyped)
            // The JSON of a file is what it is.
            if type == nil, assignment.origin.isTyped || !TypedText.isJSON(text) {
                session.note(on: text, readAs: value, for: key)
            }
            values[key] = value
        }
        return values
    }
}

extension Assignment.Origin {
    fileprivate var isTyped: Bool { if case .text = self { true } else { false } }

    fileprivate func text() throws(ConfigError) -> String {
        switch self {
        case .text(let text): text
        // A value of the maximum size may be written with a six-character escape for each character.
        case .file(let path): try InputFile.text(at: path, atMost: EntryValue.maximumBytes * 6)
        }
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
        warn(RuleSummary.warning(onKeys: keys, rules: rules))
    }

    /// At least the values that keys have now, and the schemas of the namespace.
    fileprivate func contents(ofKeys keys: [String]) async throws(ConfigError) -> NamespaceContents {
        guard keys.count == 1 else {
            return NamespaceContents(of: try await client.snapshot(withSchemas: true))
        }
        let value = try await ServerClient.found(try await client.entry(keys[0]).value)
        return NamespaceContents(values: value.map { [keys[0]: $0] } ?? [:], schemas: try await client.schemas())
    }
}
