// SPDX-License-Identifier: Apache-2.0

/// The parts that the value of a key is made of: in each layer its own value, those of the keys below it, and its part of the
/// objects above it.
///
/// Objects of several layers are merged, at any depth: the topmost layer that has a member counts. A value that is not
/// an object hides those of lower layers, unless an object hides it.
package struct ValueParts {
    /// A value, and the names that lead to it from a place in the value.
    package struct Part: Equatable, Sendable {
        /// The layer, 0 for the topmost.
        package let layer: Int
        /// The key of the entry.
        package let key: String
        fileprivate let names: ArraySlice<String>
        fileprivate let value: EntryValue

        fileprivate var isPlain: Bool { names.isEmpty && !value.isObject }

        /// The parts by the next name.
        fileprivate var members: [(name: String, part: Part)] {
            if let name = names.first {
                return [(name, Part(layer: layer, key: key, names: names.dropFirst(), value: value))]
            }
            guard case .object(let members) = value else { return [] }
            return members.map { ($0.key, Part(layer: layer, key: key, names: [], value: $0.value)) }
        }

        /// Whether it has something at a place in the value.
        fileprivate func reaches(_ place: some Collection<String>) -> Bool { self.value(at: place) != nil }

        /// Its value at a place in the value of the key; `nil` if it has none.
        private func value(at place: some Collection<String>) -> EntryValue? {
            let common = zip(names, place).prefix { $0.hasSameScalars(as: $1) }.count
            if common < min(names.count, place.count) { return nil }
            if common < names.count { return .object(EntryObject()) }
            return place.dropFirst(common).reduce(Optional(value)) { $0?.members?[$1] }
        }
    }

    private let key: String
    private let snapshot: EntrySnapshot
    /// The parts, the topmost layer's first; of one layer those of the keys above before its own and those below.
    package let parts: [Part]
    /// The indices of parts that cannot be read, and count as missing.
    private var dropped: Set<Int> = []
    private var attempts = 0

    /// After so many places that cannot be read, a layer counts as missing: each takes another attempt to read all.
    private static let maximumAttempts = 32

    /// - Parameters:
    ///   - below: The keys below the key, in any layer.
    ///   - snapshot: The layers.
    package init(of key: String, below: some Collection<String>, in snapshot: EntrySnapshot) {
        (self.key, self.snapshot) = (key, snapshot)
        let start = key.isEmpty ? 0 : key.utf8.count + 1
        let (names, above) = (key.keyNames, key.keysAbove)
        parts = snapshot.layers.indices.flatMap { layer in
            func value(_ key: String) -> EntryValue? { snapshot.value(forKey: key, inLayer: layer)?.value }
            var parts: [Part] = []
            for (length, other) in zip(1..., above) {
                var found = value(other)
                for name in names[length...] { found = found?.members?[name] }
                if let found { parts.append(Part(layer: layer, key: other, names: [], value: found)) }
            }
            if let own = value(key) { parts.append(Part(layer: layer, key: key, names: [], value: own)) }
            for other in below {
                guard let value = value(other) else { continue }
                let names = String(Substring(other.utf8.dropFirst(start))).keyNames
                parts.append(Part(layer: layer, key: other, names: names[...], value: value))
            }
            return parts
        }
    }

    /// The value over all layers, with the source and the place of the topmost part; `nil` if there is none, or if it is
    /// in conflict within a layer.
    package var entry: ConfigEntry? {
        // A conflict is reported to callers that read the value as a type.
        guard let first = parts.first, var entry = entry(of: first), let value = try? value() else { return nil }
        entry.value = value
        return entry
    }

    /// Reads the value. A part that cannot be read counts as missing in its layer, so that the next layer below serves it.
    ///
    /// - Parameters:
    ///   - read: Reads a value, with the name of the source of its topmost part; the error has the path of the part that cannot
    ///     be read.
    ///   - report: Receives the error of the topmost layer, if the value of another one was read instead.
    /// - Returns: `nil` if there is none.
    /// - Throws: `typeMismatch` for the topmost part that cannot be read, if no layer has one that can be.
    package mutating func value<Value>(
        reading read: (_ value: EntryValue, _ source: String) throws -> Value,
        report: (ConfigError) -> Void
    ) throws(ConfigError) -> Value? {
        var first: ConfigError?
        while let value = try value() {
            do {
                let source = counting.first.flatMap(entry)?.source ?? ""
                let result = try read(value, source)
                if let first { report(first) }
                return result
            } catch {
                let fault = CodingFault(error)
                if first == nil { first = mismatch(fault, underlying: error) }
                if !drop(fault.path.prefix { $0.index == nil }.map(\.stringValue)) { break }
            }
        }
        if let first { throw first }
        return nil
    }

    /// The key and the keys that the value is made of, each with a layer whose part is in the value, or with `nil` if none of its
    /// parts can be read. Keys that upper layers hide are left out.
    package var servedKeys: [(key: String, layer: Int?)] {
        var served: [(key: String, layer: Int?)] = []
        // Nothing can be read in a conflict.
        let isRead = (try? value(of: counting, at: [], serving: { served.append(($0.key, $0.layer)) })) != nil
        let unread = Set(parts.map(\.key)).union([key]).subtracting(isRead ? counting.map(\.key) : [])
        return (isRead ? served : []) + unread.map { ($0, nil) }
    }

    /// Drops what the topmost layer has at a place that cannot be read, or at the nearest one above it. Where no other layer has
    /// anything there, a part of an object would be missing unnoticed: all values of the layer are dropped.
    ///
    /// - Returns: Whether there was something.
    private mutating func drop(_ place: [String]) -> Bool {
        attempts += 1
        let longest = attempts < Self.maximumAttempts ? place.count : 0
        for length in (0...longest).reversed() {
            let place = Array(place.prefix(length))
            let reaching = parts.indices.filter { parts[$0].reaches(place) }
            guard let first = reaching.first(where: { !dropped.contains($0) }) else { continue }
            dropped.formUnion(reaching.filter { parts[$0].layer == parts[first].layer })
            if dropped.isSuperset(of: reaching) {
                let layers = Set(reaching.map { parts[$0].layer })
                dropped.formUnion(parts.indices.filter { layers.contains(parts[$0].layer) })
            }
            return true
        }
        return false
    }

    private var counting: [Part] {
        dropped.isEmpty ? parts : parts.indices.filter { !dropped.contains($0) }.map { parts[$0] }
    }

    private func value() throws(ConfigError) -> EntryValue? { try value(of: counting, at: []) }

    // The depth is bounded by the length of a key and the depth of a value.
    private func value(of parts: [Part], at place: [String], serving note: ((Part) -> Void)? = nil) throws(ConfigError)
        -> EntryValue?
    {
        var parts = parts
        if let plain = parts.first(where: \.isPlain) {
            if parts[0].layer == plain.layer {
                if let other = parts.first(where: { $0.layer == plain.layer && $0.key != plain.key }) {
                    throw conflict(of: plain, with: other, at: place)
                }
                note?(plain)
                return plain.value
            }
            // An object above them hides the plain values of lower layers, and not the objects below those.
            parts.removeAll(where: \.isPlain)
        }
        if parts.isEmpty { return nil }
        if parts.count == 1, parts[0].names.isEmpty {
            note?(parts[0])
            return parts[0].value
        }
        // The sort is stable, and by scalars, as the names of an object are compared.
        let members = parts.flatMap(\.members).sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        var (rest, merged): (ArraySlice, [EntryObject.Member]) = (members[...], [])
        while let name = rest.first?.name {
            let group = rest.prefix { $0.name.hasSameScalars(as: name) }
            rest = rest.dropFirst(group.count)
            if let value = try value(of: group.map(\.part), at: place + [name], serving: note) {
                merged.append((name, value))
            }
        }
        let isThere = !merged.isEmpty || parts.contains { $0.names.isEmpty }
        if let note { for part in parts where part.names.isEmpty && part.members.isEmpty { note(part) } }
        return isThere ? .object(EntryObject(merged)) : nil
    }

    /// The entry of a part.
    package func entry(of part: Part) -> ConfigEntry? { snapshot.value(forKey: part.key, inLayer: part.layer) }

    private func conflict(of plain: Part, with other: Part, at place: [String]) -> ConfigError {
        let name = (key.keyNames + place).joined(separator: ".").excerpt(ofScalars: 200)
        let clash = "the key \(other.key) \(other.isPlain ? "sets another value for it" : "has values below it")"
        let message = "conflict: \(name) is a value, but \(clash); remove one"
        return entry(of: plain)?.mismatch(message, key: plain.key)
            ?? ConfigError(.typeMismatch, message, key: plain.key)
    }

    /// The error of a value that cannot be read, with the entry that contains the part.
    private func mismatch(_ fault: CodingFault, underlying: any Error) -> ConfigError {
        let path: [any CodingKey] = key.keyNames.map { PartKey(stringValue: $0) } + fault.path
        // The key of the longest name; no key leads into an array.
        let longest = path.prefix { $0.index == nil }.count
        let place = fault.path.prefix { $0.index == nil }.map(\.stringValue)
        let topmost = counting.first { $0.reaches(place) }
        for length in stride(from: longest, to: 0, by: -1) {
            let name = path[..<length].map(\.stringValue).joined(separator: ".")
            guard let part = topmost ?? counting.first(where: { $0.key == name }), part.key == name,
                let entry = entry(of: part)
            else { continue }
            let message = CodingFault(fault.message, at: Array(path[length...])).description
            return entry.mismatch(message, key: name, underlying: underlying)
        }
        // No key of the path has an entry: the topmost layer that has something there.
        let part = (0...place.count).reversed().lazy.compactMap { length in
            counting.first { $0.reaches(Array(place.prefix(length))) }
        }.first
        return ConfigError(
            .typeMismatch,
            fault.description,
            source: part.flatMap(entry)?.source,
            key: key.isEmpty ? nil : key,
            underlying: underlying
        )
    }
}

extension String {
    /// The keys above a key, from the first: `a` and `a.b` of `a.b.c`.
    package var keysAbove: [String] {
        utf8.indices.filter { utf8[$0] == UInt8(ascii: ".") }.map { String(self[..<$0]) }
    }

    /// The names of a key.
    fileprivate var keyNames: [String] { utf8.split(separator: UInt8(ascii: ".")).map { String(Substring($0)) } }
}
