// SPDX-License-Identifier: Apache-2.0

/// Writes JSON, byte by byte into one buffer: `JSONWriter.object { $0.member("revision") { $0.number(42) } }`.
@usableFromInline
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init(reservingBytes capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    package static func object(
        reservingBytes capacity: Int = 256,
        _ writeMembers: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter(reservingBytes: capacity)
        json.object(writeMembers)
        return json.bytes
    }

    package mutating func object(_ writeMembers: (inout JSONWriter) -> Void) {
        enclosed(UInt8(ascii: "{"), UInt8(ascii: "}"), writeMembers)
    }

    @usableFromInline
    package mutating func array(_ writeElements: (inout JSONWriter) -> Void) {
        enclosed(UInt8(ascii: "["), UInt8(ascii: "]"), writeElements)
    }

    /// Writes a member of the object that is open.
    @usableFromInline
    package mutating func member(_ name: String, _ writeValue: (inout JSONWriter) -> Void) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
        writeValue(&self)
    }

    /// Writes a member of the object that is open: an array with an element for each item.
    @inlinable
    package mutating func member<Item>(
        _ name: String,
        each items: some Sequence<Item>,
        _ writeElement: (Item, inout JSONWriter) -> Void
    ) {
        member(name) { member in
            member.array { array in
                for item in items { writeElement(item, &array) }
            }
        }
    }

    package mutating func string(_ text: String) {
        separate()
        bytes.append(quoted: text)
    }

    package mutating func number(_ number: some BinaryInteger) { raw(String(number)) }
    package mutating func boolean(_ flag: Bool) { raw(flag ? "true" : "false") }
    package mutating func null() { raw("null") }

    package mutating func value(_ value: EntryValue) {
        separate()
        value.writeCanonicalJSON(to: &bytes)
    }

    /// Writes an object of values, sorted by key, so that equal states have equal text.
    @inlinable
    package mutating func values(_ values: some Sequence<(key: String, value: EntryValue)>) {
        self.values(Array(values))
    }

    /// Writes an object of values, sorted by key. Not generic, so that no module sorts and writes many values by way of
    /// witnesses.
    @usableFromInline
    package mutating func values(_ values: [(key: String, value: EntryValue)]) {
        object { object in
            for (key, value) in values.sorted(by: { $0.key < $1.key }) { object.member(key) { $0.value(value) } }
        }
    }

    /// Writes a document that ``ConfigDocument`` reads back as the same values: plain where that can be, else exact.
    ///
    /// - Parameters:
    ///   - schemas: the schemas, which only an exact document can have.
    ///   - rules: the rules, likewise.
    ///   - isExact: whether the document is exact in any case.
    ///   - kinds: the kinds that an exact document lists even if there are no entries of them.
    ///   - more: writes more members of an exact document.
    package mutating func document(
        _ values: some Sequence<(key: String, value: EntryValue)>,
        schemas: [String: EntryValue] = [:],
        rules: [String: EntryValue] = [:],
        isExact: Bool = false,
        listing kinds: Set<EntryKind> = [],
        more: (inout JSONWriter) -> Void = { _ in }
    ) {
        guard isExact || !schemas.isEmpty || !rules.isEmpty || ExactForm.isNeeded(for: values) else {
            return nestedValues(values)
        }
        object { object in
            object.member(ExactForm.version) { $0.number(ExactForm.newestVersion) }
            object.member(EntryKind.value.listName) { $0.values(values) }
            for (kind, entries) in [(EntryKind.schema, schemas), (.rule, rules)] {
                guard !entries.isEmpty || kinds.contains(kind) else { continue }
                object.member(kind.listName) { $0.values(entries.lazy.map { (key: $0, value: $1) }) }
            }
            more(&object)
        }
    }

    /// Writes an object of objects, one level for each dot of a key.
    ///
    /// If `a` and `a.b` are both values, the second is written next to the first as `"a.b"`.
    private mutating func nestedValues(_ values: some Sequence<(key: String, value: EntryValue)>) {
        var root = Branch()
        for (key, value) in values { root.insert(value, at: key.split(separator: ".")[...]) }
        object { root.write(to: &$0, prefix: "") }
    }

    private struct Branch {
        var value: EntryValue?
        var children: [Substring: Branch] = [:]

        mutating func insert(_ value: EntryValue, at path: ArraySlice<Substring>) {
            guard let name = path.first else { return self.value = value }
            children[name, default: Branch()].insert(value, at: path.dropFirst())
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

    package mutating func strings(_ strings: some Sequence<String>) {
        array { array in
            for string in strings { array.string(string) }
        }
    }

    /// Writes a value that is JSON already.
    package mutating func raw(_ json: String) { raw(json.utf8) }

    /// Writes a value that is JSON already, as bytes.
    package mutating func raw(_ json: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Writes a value that is JSON already, in three parts.
    package mutating func raw(_ beginning: [UInt8], _ middle: String, _ end: [UInt8]) {
        separate()
        bytes.append(contentsOf: beginning)
        bytes.append(contentsOf: middle.utf8)
        bytes.append(contentsOf: end)
    }

    /// Writes a value, or `null` where there is none.
    package mutating func optional<Value>(_ value: Value?, _ write: (inout JSONWriter, Value) -> Void) {
        if let value { write(&self, value) } else { null() }
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func enclosed(_ open: UInt8, _ close: UInt8, _ write: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(open)
        needsComma = false
        write(&self)
        bytes.append(close)
        needsComma = true
    }
}
