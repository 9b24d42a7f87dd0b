import ArgumentParser
import ConfigModel
import RemoteConfig

/// `livery export`
struct ExportCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print the namespace as a JSON document.",
        usage: "livery export [--flat | --nested] [<options>]",
        discussion: """
            `livery import` and `livery diff` read both forms back unchanged.

            EXAMPLES
              livery export > config.json
              livery export -n staging | livery import - -n production --replace
            """
    )

    @Flag(help: "One object with whole keys, instead of an object for each part of a key.")
    var flat = false

    @Flag(help: "An object for each part of a key (default).")
    var nested = false

    @OptionGroup var access: ServerOptions

    func validate() throws {
        if flat, nested { throw ValidationError("Choose either --flat or --nested.") }
    }

    @MainActor
    func run(in session: OperatorSession) async throws {
        let entries = Dictionary(try await session.client.snapshot().entries)
        try session.writeJSON(flat ? NestedDocument.flatJSON(of: entries) : NestedDocument.json(of: entries))
    }
}

/// A configuration as one JSON object, which ``ConfigDocument`` reads back unchanged.
enum NestedDocument {
    /// An object of objects, one level for each dot of a key.
    ///
    /// If `a` and `a.b` are both values, the second is written beside the first as `"a.b"`.
    static func json(of values: [String: EntryValue]) -> [UInt8] {
        var json = JSONWriter()
        json.document(values.lazy.map { ($0.key, $0.value) })
        return json.bytes
    }

    /// One object with dotted keys.
    static func flatJSON(of values: [String: EntryValue]) -> [UInt8] {
        var json = JSONWriter()
        json.values(values.lazy.map { ($0.key, $0.value) })
        return json.bytes
    }
}
