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
        let entries = try await session.client.snapshot().entries
        try session.writeJSON(flat ? NestedDocument.flatJSON(of: entries) : NestedDocument.json(of: entries))
    }
}

/// A configuration as one JSON object, which ``ConfigDocument`` reads back unchanged.
enum NestedDocument {
    /// An object of objects, one level for each dot of a key.
    ///
    /// If `a` and `a.b` are both values, the second is written beside the first as `"a.b"`.
    static func json(of values: [String: EntryValue]) -> [UInt8] {
        var root = Node()
        for (key, value) in values { root.insert(value, at: key.split(separator: ".")[...]) }
        var json = JSONWriter()
        json.object { root.write(to: &$0, prefix: "") }
        return json.bytes
    }

    /// One object with dotted keys.
    static func flatJSON(of values: [String: EntryValue]) -> [UInt8] {
        var json = JSONWriter()
        json.values(values.lazy.map { ($0.key, $0.value) })
        return json.bytes
    }

    private struct Node {
        var value: EntryValue?
        var children: [Substring: Node] = [:]

        mutating func insert(_ value: EntryValue, at path: ArraySlice<Substring>) {
            guard let name = path.first else { return self.value = value }
            children[name, default: Node()].insert(value, at: path.dropFirst())
        }

        // The depth is bounded by the length of a key.
        func write(to json: inout JSONWriter, prefix: String) {
            for (name, child) in children.sorted(by: { $0.key < $1.key }) {
                let path = prefix + name
                if let value = child.value {
                    json.member(path) { $0.value(value) }
                    child.write(to: &json, prefix: path + ".")
                } else {
                    json.member(path) { member in member.object { child.write(to: &$0, prefix: "") } }
                }
            }
        }
    }
}
