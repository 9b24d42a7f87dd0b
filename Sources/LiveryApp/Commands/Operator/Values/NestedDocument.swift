import ConfigModel

/// A configuration as one JSON object, which ``ConfigDocument`` reads back as exactly the same.
enum NestedDocument {
    /// An object of objects, one level for each dot of a key.
    ///
    /// Where `a` is a value and `a.b` another, the second stands beside the first as `"a.b"`.
    static func json(of values: [String: ConfigValue]) -> [UInt8] {
        var root = Node()
        for (key, value) in values { root.insert(value, at: key.split(separator: ".")[...]) }
        var json = JSONWriter()
        json.object { root.write(to: &$0, prefix: "") }
        return json.bytes
    }

    /// One object with dotted keys.
    static func flatJSON(of values: [String: ConfigValue]) -> [UInt8] {
        var json = JSONWriter()
        json.values(values.lazy.map { ($0.key, $0.value) })
        return json.bytes
    }

    private struct Node {
        var value: ConfigValue?
        var children: [Substring: Node] = [:]

        mutating func insert(_ value: ConfigValue, at path: ArraySlice<Substring>) {
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
