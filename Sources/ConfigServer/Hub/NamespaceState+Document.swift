internal import ConfigModel
internal import ConfigStore
internal import HashTreeCollections
public import NIOCore

extension NamespaceState {
    /// The entries as one nested document, the body of `GET /{namespace}.json`.
    ///
    /// A key that has a value and is the beginning of others cannot be an object as well, so the others keep their
    /// dots: `{"a": 1, "a.b": 2}`. ``ConfigDocument`` reads every such document as the very entries.
    public var documentJSON: ByteBuffer {
        encodings.document.value {
            var root = DocumentNode()
            for (key, entry) in entries {
                root.insert(entry.value, at: key.split(separator: ".")[...])
            }
            var json = JSONWriter()
            json.object { root.writeMembers(to: &$0, prefix: "") }
            return ByteBuffer(bytes: json.bytes)
        }
    }
}

/// A segment of a key, with what follows it.
private struct DocumentNode {
    var value: EntryValue?
    var children: [Substring: DocumentNode] = [:]

    mutating func insert(_ value: EntryValue, at path: ArraySlice<Substring>) {
        guard let segment = path.first else {
            self.value = value
            return
        }
        children[segment, default: DocumentNode()].insert(value, at: path.dropFirst())
    }

    /// - Parameter prefix: the segments, with their dots, that this node could not open an object for.
    func writeMembers(to json: inout JSONWriter, prefix: String) {
        for (segment, child) in children.sorted(by: { $0.key < $1.key }) {
            let name = prefix + segment
            if let value = child.value {
                json.member(name) { $0.value(value) }
                child.writeMembers(to: &json, prefix: name + ".")
            } else {
                json.member(name) { member in
                    member.object { child.writeMembers(to: &$0, prefix: "") }
                }
            }
        }
    }
}
