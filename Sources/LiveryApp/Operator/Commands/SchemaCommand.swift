import ArgumentParser
import ConfigModel
import ConfigSchemas
import Programs
import RemoteConfig
import TerminalUI

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Check the values of a namespace by JSON Schemas.",
        subcommands: [SchemaCheckCommand.self]
    )
}

struct SchemaCheckCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say which values break their schema.",
        usage: "livery schema check <file> [<options>]",
        discussion: """
            The file has JSON Schemas (2020-12) by key, or by the beginning of keys; the longest match counts:
              {"livery": 1, "schemas": {"app.title": {"type": "string"},
                "app.colors.*": {"format": "color"}}}
            A keyword or format that is not known is an error, and never passed over. Keys without a schema are not \
            checked. The exit code is 1 if a value breaks its schema, so that a release can be stopped that would \
            refuse what the namespace holds.

            EXAMPLES
              livery schema check schemas.json
              livery schema check schemas.json -n staging --server https://config.example.com

            As JSON: {"namespace": …, "revision": …, "checked": …, "violations": [{"key": …, "schema": …, "pointer": …, \
            "keyword": …, "keyword_pointer": …, "limit": …, "found": …, "message": …}]}; checked counts the keys that \
            have a schema.
            """
    )

    @Argument(help: "The schemas; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func run(in session: OperatorSession) async throws {
        let bytes = try InputFile.bytes(at: file, atMost: SchemaSet.maximumBytes)
        let document: SchemaSet
        do throws(SchemaError) {
            document = try SchemaSet(json: bytes, source: InputFile.name(of: file))
        } catch {
            let lines = error.description.split(separator: "\n").map { String($0).sanitized() }
            throw ProgramFailure(.data, lines.joined(separator: "\n"))
        }
        let now = try await session.client.snapshot()
        let report = SchemaReport(of: now, by: document)
        if session.style.isJSON {
            try session.writeResult(report.writeMembers)
        } else {
            try session.write(report.lines)
        }
        if !report.violations.isEmpty { throw ProgramFailure(.negative) }
    }
}

/// What of a namespace breaks its schemas.
struct SchemaReport {
    struct Violation {
        let key: String
        /// What the schema is for: the key, or the beginning of keys.
        let schema: String
        let violation: SchemaViolation
    }

    let revision: UInt64
    /// How many keys have a schema.
    private(set) var checked = 0
    /// By key.
    private(set) var violations: [Violation] = []

    init(of state: ServerSnapshot, by document: SchemaSet) {
        revision = state.cursor.revision
        for (key, value) in state.entries.sorted(by: { $0.key < $1.key }) {
            guard let (name, schema) = document.schema(forKey: key) else { continue }
            checked += 1
            violations += schema.violations(of: value).map { Violation(key: key, schema: name, violation: $0) }
        }
    }

    var lines: [[Span]] {
        let keys = checked == 1 ? "1 value" : "\(checked.grouped) values"
        let broken = Set(violations.map(\.key)).count
        let end =
            broken == 0
            ? "\(keys) checked at revision \(revision): all keep their schema."
            : "\(keys) checked at revision \(revision): \(broken.grouped) break their schema."
        return violations.map { [Span($0.key, .key), Span(": \($0.violation.description)".sanitized())] } + [
            [Span(end, .faint)]
        ]
    }

    func writeMembers(to object: inout JSONWriter) {
        object.member("revision") { $0.number(revision) }
        object.member("checked") { $0.number(checked) }
        object.member("violations", each: violations) { item, array in
            array.object { object in
                object.member("key") { $0.string(item.key) }
                object.member("schema") { $0.string(item.schema) }
                object.member("pointer") { $0.string(item.violation.pointer) }
                object.member("keyword") { $0.string(item.violation.keyword) }
                object.member("keyword_pointer") { $0.string(item.violation.keywordPointer) }
                object.member("limit") { $0.value(item.violation.limit) }
                object.member("found") { $0.value(item.violation.found) }
                object.member("message") { $0.string(item.violation.message) }
            }
        }
    }
}
