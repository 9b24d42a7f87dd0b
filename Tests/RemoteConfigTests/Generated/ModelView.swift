// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// What the entries of layers make up at one place of a configuration.
indirect enum ModelNode {
    /// A value that is not an object, and the entry that contains it.
    case leaf(EntryValue, Holder)
    case object([String: ModelNode], Holder)
    /// Two entries of one layer that exclude each other.
    case conflict

    struct Holder: Hashable {
        let layer: Int
        let key: String
    }

    init(_ value: EntryValue, _ holder: Holder) {
        guard case .object(let members) = value else {
            self = .leaf(value, holder)
            return
        }
        let nodes = members.map { ($0.key, ModelNode($0.value, holder)) }
        self = .object(Dictionary(nodes) { $1 }, holder)
    }

    /// What a layer has at a place.
    static func ofLayer(_ layer: Int, _ entries: [String: EntryValue], at place: [String]) -> ModelNode? {
        var node: ModelNode?
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            let path = key.split(separator: ".").map(String.init)
            let holder = Holder(layer: layer, key: key)
            var part: ModelNode?
            if place.starts(with: path) {
                part = ModelNode(value, holder).at(place.dropFirst(path.count))
            } else if path.starts(with: place) {
                part = path.dropFirst(place.count).reversed().reduce(ModelNode(value, holder)) {
                    .object([$1: $0], holder)
                }
            }
            guard let part else { continue }
            node = node.map { $0.joined(part) } ?? part
        }
        return node
    }

    func at(_ path: ArraySlice<String>) -> ModelNode? {
        guard let name = path.first else { return self }
        guard case .object(let members, _) = self else { return nil }
        return members[name]?.at(path.dropFirst())
    }

    /// This and another entry of the same layer.
    private func joined(_ other: ModelNode) -> ModelNode {
        guard case .object(let members, let holder) = self, case .object(let others, _) = other else {
            return .conflict
        }
        return .object(members.merging(others) { $0.joined($1) }, holder)
    }

    /// The nodes of several layers, the topmost first, at one place.
    static func merged(_ nodes: [ModelNode]) -> ModelNode? {
        guard case .object(_, let holder)? = nodes.first else { return nodes.first }
        var objects: [[String: ModelNode]] = []
        for node in nodes {
            if case .conflict = node { return .conflict }
            // An object hides other values below it.
            if case .object(let members, _) = node { objects.append(members) }
        }
        let names = Set(objects.flatMap(\.keys))
        let members = names.map { name in (name, merged(objects.compactMap { $0[name] }) ?? .conflict) }
        return .object(Dictionary(members) { $1 }, holder)
    }

    var hasConflict: Bool {
        switch self {
        case .leaf: false
        case .conflict: true
        case .object(let members, _): members.values.contains { $0.hasConflict }
        }
    }

    var isObject: Bool { if case .object = self { true } else { false } }

    var holder: Holder? {
        switch self {
        case .leaf(_, let holder), .object(_, let holder): holder
        case .conflict: nil
        }
    }

    /// `nil` if there is a conflict.
    var value: EntryValue? {
        switch self {
        case .leaf(let value, _): return value
        case .conflict: return nil
        case .object(let members, _):
            var object: [(key: String, value: EntryValue)] = []
            for (key, node) in members {
                guard let value = node.value else { return nil }
                object.append((key, value))
            }
            return .object(EntryObject(object))
        }
    }
}

/// The expected result of a read of a key.
enum ModelOutcome<Value: Equatable> {
    case value(Value)
    case missing
    /// No layer has a value of the type.
    case mismatch
    /// A layer contradicts itself, or it is left open which value counts.
    case unspecified

    var value: Value? { if case .value(let value) = self { value } else { nil } }
    var isUnspecified: Bool { if case .unspecified = self { true } else { false } }
}

/// A type that values are read as, and how the model decodes it.
protocol ModelValue: Codable, Equatable, Sendable {
    /// Whether it may be made of keys below its key.
    static var isComposed: Bool { get }
    /// A value that no document has.
    static var fallback: Self { get }
    static func read(_ value: EntryValue) -> ModelReading<Self>
}

enum ModelReading<Value> {
    case value(Value)
    /// The part at the path is of another type.
    case bad([String])
    /// The object lacks a member.
    case lacking
}

/// The values of all layers for one user at one time, the topmost first.
struct ModelView {
    var layers: [[String: EntryValue]]
    var names: [String]

    var keys: Set<String> { Set(layers.flatMap(\.keys)) }

    private func nodes(at place: [String]) -> [ModelNode] {
        layers.enumerated().compactMap { ModelNode.ofLayer($0, $1, at: place) }
    }

    private static func place(_ key: String) -> [String] { key.split(separator: ".").map(String.init) }

    /// The value of a key, of whatever type.
    func value(_ key: String) -> ModelOutcome<EntryValue> {
        guard keys.contains(key) else { return .missing }
        if isHidden(key) { return .unspecified }
        guard let node = ModelNode.merged(nodes(at: Self.place(key))) else { return .missing }
        return node.value.map { .value($0) } ?? .unspecified
    }

    /// Whether the topmost layer that has a key has no object, and keys of a layer above make up one at its place.
    ///
    /// It is left open whether the key has that value or the object.
    private func isHidden(_ key: String) -> Bool {
        guard let topmost = layers.firstIndex(where: { $0[key] != nil }) else { return false }
        let place = Self.place(key)
        return layers[topmost][key]?.members == nil
            && layers[..<topmost].contains { ModelNode.ofLayer(0, $0, at: place)?.isObject == true }
    }

    /// Whether a layer above one of them has a key, or a member of an object for it.
    func serves(_ key: String, above layer: Int) -> Bool {
        layers[..<layer].contains { entries in
            let above = entries.filter { key == $0.key || key.hasPrefix($0.key + ".") }
            return ModelNode.ofLayer(0, above, at: Self.place(key)) != nil
        }
    }

    /// Reads a key as a type.
    ///
    /// - Parameter needsKey: Whether a key that is only made of others is missing.
    func read<Value: ModelValue>(_ key: String, as type: Value.Type, needsKey: Bool = !Value.isComposed)
        -> (outcome: ModelOutcome<Value>, skipped: String?)
    {
        let result = read(key, needsKey: needsKey) { Value.read($0) }
        return (result.outcome, result.skipped)
    }

    func read<Value: Equatable>(
        _ key: String,
        needsKey: Bool,
        _ read: (EntryValue) -> ModelReading<Value>
    ) -> (outcome: ModelOutcome<Value>, skipped: String?) {
        if needsKey, !keys.contains(key) { return (.missing, nil) }
        if isHidden(key) { return (.unspecified, nil) }
        var (left, skipped) = (self, String?.none)
        var dropped: [ModelNode.Holder: EntryValue] = [:]
        let place = Self.place(key)
        while true {
            let nodes = left.nodes(at: place)
            guard let node = ModelNode.merged(nodes) else { return (skipped == nil ? .missing : .mismatch, skipped) }
            guard let value = node.value else { return (.unspecified, skipped) }
            // A member of an object above is not a key. As a part of a larger value it is there, alone only as an
            // object.
            if !place.isEmpty, !node.isObject, !keys.contains(key) { return (.unspecified, skipped) }
            switch read(value) {
            case .value(let value):
                // Where a key itself is read, it is left open whether those below it alone make up an object.
                if needsKey, node.isObject, !left.keys.contains(key) || left.isHidden(key) {
                    return (.unspecified, nil)
                }
                return (.value(value), skipped)
            case .lacking: return (.mismatch, skipped ?? names[node.holder?.layer ?? 0])
            case .bad(let path):
                guard let holder = node.at(path[...])?.holder else { return (.unspecified, skipped) }
                skipped = skipped ?? names[holder.layer]
                let others = left.nodes(at: place + path).contains { $0.holder?.layer != holder.layer }
                if others {
                    dropped[holder] = left.layers[holder.layer][holder.key]
                    left.layers[holder.layer][holder.key] = nil
                } else {
                    // It is left open whether the values of a layer count whose part was dropped for one that cannot be read.
                    let isOpen = dropped.contains { other, value in
                        other.layer != holder.layer
                            && ModelNode.ofLayer(0, [other.key: value], at: place + path) != nil
                    }
                    if isOpen { return (.unspecified, skipped) }
                    left.layers[holder.layer] = left.layers[holder.layer].filter { entry in
                        let path = Self.place(entry.key)
                        return !path.starts(with: place) && !place.starts(with: path)
                    }
                }
            }
        }
    }
}

extension String: ModelValue {
    static var isComposed: Bool { false }
    static var fallback: String { "none" }
    static func read(_ value: EntryValue) -> ModelReading<String> {
        if case .string(let text) = value { .value(text) } else { .bad([]) }
    }
}

extension Int: ModelValue {
    static var isComposed: Bool { false }
    static var fallback: Int { -7 }
    static func read(_ value: EntryValue) -> ModelReading<Int> {
        if case .integer(let number) = value { .value(number) } else { .bad([]) }
    }
}

extension Double: ModelValue {
    static var isComposed: Bool { false }
    static var fallback: Double { -7.5 }
    static func read(_ value: EntryValue) -> ModelReading<Double> {
        switch value {
        case .integer(let number): .value(Double(number))
        case .double(let number): .value(number)
        default: .bad([])
        }
    }
}

extension Bool: ModelValue {
    static var isComposed: Bool { false }
    static var fallback: Bool { true }
    static func read(_ value: EntryValue) -> ModelReading<Bool> {
        if case .boolean(let flag) = value { .value(flag) } else { .bad([]) }
    }
}

extension Array: ModelValue where Element: ModelValue {
    static var isComposed: Bool { false }
    static var fallback: [Element] { [.fallback, .fallback] }
    static func read(_ value: EntryValue) -> ModelReading<[Element]> {
        guard case .array(let elements) = value else { return .bad([]) }
        var read: [Element] = []
        for element in elements {
            guard case .value(let value) = Element.read(element) else { return .bad([]) }
            read.append(value)
        }
        return .value(read)
    }
}

extension Dictionary: ModelValue where Key == String, Value == Int {
    static var isComposed: Bool { true }
    static var fallback: [String: Int] { ["none": -7] }
    static func read(_ value: EntryValue) -> ModelReading<[String: Int]> {
        guard let members = value.members else { return .bad([]) }
        var read: [String: Int] = [:]
        for member in members {
            guard case .integer(let number) = member.value else { return .bad([member.key]) }
            read[member.key] = number
        }
        return .value(read)
    }
}

/// Any value, as a type of a program that decodes it.
struct ModelAny: ModelValue {
    var value: EntryValue

    static var isComposed: Bool { true }
    static var fallback: ModelAny { ModelAny(value: "none") }
    static func read(_ value: EntryValue) -> ModelReading<ModelAny> { .value(ModelAny(value: value)) }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(value: EntryValue) { self.value = value }

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Name.self) {
            let all = try members.allKeys.map {
                (key: $0.stringValue, value: try members.decode(ModelAny.self, forKey: $0).value)
            }
            value = .object(EntryObject(all))
        } else if var elements = try? decoder.unkeyedContainer() {
            var all: [EntryValue] = []
            while !elements.isAtEnd { all.append(try elements.decode(ModelAny.self).value) }
            value = .array(all)
        } else {
            let single = try decoder.singleValueContainer()
            // A value is of one kind; the others are refused.
            if let flag = try? single.decode(Bool.self) {
                value = .boolean(flag)
            } else if let number = try? single.decode(Int.self) {
                value = .integer(number)
            } else if let number = try? single.decode(Double.self) {
                value = .double(number)
            } else {
                value = .string(try single.decode(String.self))
            }
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value.canonicalJSON)
    }
}

/// A structure that the keys below one may make up.
struct ModelPair: ModelValue {
    var b: Int
    var c: Int

    static var isComposed: Bool { true }
    static var fallback: ModelPair { ModelPair(b: -7, c: -7) }
    static func read(_ value: EntryValue) -> ModelReading<ModelPair> {
        guard let members = value.members else { return .bad([]) }
        var read: [Int] = []
        for name in ["b", "c"] {
            guard let member = members[name] else { return .lacking }
            guard case .integer(let number) = member else { return .bad([name]) }
            read.append(number)
        }
        return .value(ModelPair(b: read[0], c: read[1]))
    }
}
