// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

extension ConfigState.Snapshot {
    /// The keys below a key, sorted; all keys below the empty one. It costs a sort when it is first asked for, as
    /// ``keys`` does.
    func keys(below key: String) -> ArraySlice<String> { keys.sortedKeys(below: key) }

    /// An entry of the object that a key, the keys below it and the objects above it make up; `nil` if there is none.
    ///
    /// - Throws: `typeMismatch` if one of the keys is a value and a branch at once.
    func objectEntry(ofBranch key: String) throws(ConfigError) -> ConfigEntry? {
        let reader = BranchReader(key, of: self)
        guard let value = try reader.object(), var entry = reader.firstEntry else { return nil }
        entry.value = value
        return entry
    }

    /// Reads the object that a key, the keys below it and the objects above it make up.
    func value<Value: Decodable>(ofBranch branch: String, as type: Value.Type) throws(ConfigError) -> Value? {
        let reader = BranchReader(branch, of: self)
        guard let object = try reader.object() else { return nil }
        do {
            return try ValueDecoder(object).decode(type)
        } catch {
            throw reader.mismatch(error)
        }
    }
}

extension EntryValue {
    var isObject: Bool { if case .object = self { true } else { false } }
}

/// Puts the keys of a branch together to one value.
private struct BranchReader {
    /// A value, and the names that lead to it from a place in the branch.
    private struct Item {
        let key: String
        let names: ArraySlice<String>
        let value: EntryValue

        var isObject: Bool { value.isObject }

        /// The parts of the item by the next name; `nil` if it is a value here.
        var parts: [(name: String, item: Item)]? {
            if let name = names.first { return [(name, Item(key: key, names: names.dropFirst(), value: value))] }
            guard case .object(let members) = value else { return nil }
            return members.map { ($0.key, Item(key: key, names: [], value: $0.value)) }
        }
    }

    private let branch: String
    private let entries: ConfigEntries
    private let items: [Item]

    /// Reads a branch of a snapshot.
    init(_ branch: String, of current: ConfigState.Snapshot) {
        let entries = current.snapshot.entries
        (self.branch, self.entries) = (branch, entries)
        let own = entries[branch].map { [Item(key: branch, names: [], value: $0.value)] } ?? []
        let start = branch.isEmpty ? 0 : branch.count + 1
        let below = current.keys(below: branch).compactMap { key in
            entries[key].map { entry in
                let names = key.dropFirst(start).split(separator: ".").map(String.init)
                return Item(key: key, names: names[...], value: entry.value)
            }
        }
        items = Self.items(above: branch, in: entries) + own + below
        if current.exposureLog.isOn { for item in items { current.expose(item.key) } }
    }

    /// The members of the branch in objects that are values of the keys above it.
    private static func items(above branch: String, in entries: ConfigEntries) -> [Item] {
        let names = branch.split(separator: ".").map(String.init)
        return names.indices.dropFirst().compactMap { length in
            let key = names[..<length].joined(separator: ".")
            var value = entries[key]?.value
            for name in names[length...] {
                guard case .object(let members) = value else { return nil }
                value = members[name]
            }
            return value.map { Item(key: key, names: [], value: $0) }
        }
    }

    var firstEntry: ConfigEntry? { items.first.flatMap { entries[$0.key] } }

    /// - Returns: `nil` if there are no keys, or they make up something else.
    func object() throws(ConfigError) -> EntryValue? {
        guard !items.isEmpty, case .object(let members) = try value(of: items, at: branch) else { return nil }
        return .object(members)
    }

    // The depth is bounded by the length of a key and the depth of a value.
    private func value(of items: [Item], at place: String) throws(ConfigError) -> EntryValue {
        if items.count == 1, items[0].names.isEmpty { return items[0].value }
        var parts: [(name: String, item: Item)] = []
        for item in items {
            guard let more = item.parts else { throw conflict(of: item, with: items, at: place) }
            parts += more
        }
        // The sort is stable, and by scalars, as the names of an object are compared.
        var rest = parts.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }[...]
        var members: [EntryObject.Member] = []
        while let name = rest.first?.name {
            let group = rest.prefix { $0.name.utf8.elementsEqual(name.utf8) }
            rest = rest.dropFirst(group.count)
            let below = place.isEmpty ? name : place + "." + name
            members.append((key: name, value: try value(of: group.map(\.item), at: below)))
        }
        return .object(EntryObject(members))
    }

    private func conflict(of item: Item, with items: [Item], at place: String) -> ConfigError {
        let other = items.first { $0.key != item.key } ?? item
        let isBelow = !other.names.isEmpty || other.isObject
        let clash = "the key \(other.key) \(isBelow ? "has values below it" : "sets another value for it")"
        let message = "conflict: \(place.excerpt(ofScalars: 200)) is a value, but \(clash); remove one"
        return entries[item.key]?.mismatch(message, key: item.key) ?? ConfigError(.typeMismatch, message, key: item.key)
    }

    /// The decoding error, with the entry that contains it.
    func mismatch(_ error: any Error) -> ConfigError {
        let fault = CodingFault(error)
        let names = branch.split(separator: ".").map { PartKey(stringValue: String($0)) }
        let path: [any CodingKey] = names + fault.path
        // The key of the longest name; no key leads into an array.
        let longest = path.prefix { $0.index == nil }.count
        for length in stride(from: longest, to: 0, by: -1) {
            let key = path[..<length].map(\.stringValue).joined(separator: ".")
            guard let entry = entries[key], items.contains(where: { $0.key == key }) else { continue }
            let message = CodingFault(fault.message, at: Array(path[length...])).description
            return entry.mismatch(message, key: key, underlying: error)
        }
        let key = branch.isEmpty ? nil : branch
        return ConfigError(.typeMismatch, fault.description, key: key, underlying: error)
    }
}
