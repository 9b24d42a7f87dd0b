import ArgumentParser
import ConfigModel
import Files
import RemoteConfig

/// `livery export`
struct ExportCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print the namespace as a JSON document.",
        usage: "livery export [--flat | --nested | --exact] [<options>]",
        discussion: """
            `livery import` and `livery diff` read every form back unchanged. In a nested or flat document an object is a \
            branch of the keys. So if the value of a key is an object, the document is printed in the exact form: \
            {"livery": 1, "entries": {"app.theme": {"color": "pink"}}}.

            EXAMPLES
              livery export > config.json
              livery export --exact | jq '.entries | keys'
              livery export -n staging | livery import - -n production --replace
            """
    )

    @Flag(help: "One object with whole keys, instead of an object for each part of a key.")
    var flat = false

    @Flag(help: "An object for each part of a key (default).")
    var nested = false

    @Flag(help: "The exact form: each key with its whole value, under \"entries\".")
    var exact = false

    @OptionGroup var access: ServerOptions

    func validate() throws {
        if [flat, nested, exact].count(where: \.self) > 1 {
            throw ValidationError("Choose one of --flat, --nested and --exact.")
        }
    }

    @MainActor
    func run(in session: OperatorSession) async throws {
        let entries = Dictionary(try await session.client.snapshot().entries)
        let form: ExportForm = exact ? .exact : flat ? .flat : .nested
        let document = form.json(of: entries)
        if flat || nested, ExportForm.holdsObject(entries) {
            Output.error.writeLine("The document is exact: the value of a key is an object.")
        }
        try session.writeJSON(document)
    }
}

/// A form of a configuration as one JSON document, which ``ConfigDocument`` reads back unchanged.
enum ExportForm {
    /// An object of objects, one level for each dot of a key. If `a` and `a.b` are both values, the second is written
    /// beside the first as `"a.b"`.
    case nested
    /// One object with dotted keys.
    case flat
    /// Each key with its value, objects included.
    case exact

    /// The document in this form, or in the exact one where this one would hold other values.
    func json(of values: [String: EntryValue]) -> [UInt8] {
        let pairs = values.lazy.map { (key: $0, value: $1) }
        var json = JSONWriter()
        switch self {
        case .flat where !Self.holdsObject(values): json.values(pairs)
        case .flat, .exact: json.document(pairs, isExact: true)
        case .nested: json.document(pairs)
        }
        return json.bytes
    }

    static func holdsObject(_ values: [String: EntryValue]) -> Bool {
        values.values.contains { if case .object = $0 { true } else { false } }
    }
}
