// SPDX-License-Identifier: Apache-2.0

/// A configuration value: any value of JSON.
///
/// The value of a key is never ``null`` itself; in arrays and objects it may be.
public enum EntryValue: Sendable {
    /// `null`, in an array or object.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A whole number within ±(2^53 − 1), so that every JSON reader agrees on it; `1`, `1.0` and `1e0` are one value.
    case integer(Int)
    /// Any other finite number, with the precision of an IEEE 754 double.
    case double(Double)
    /// A text of Unicode scalars.
    case string(String)
    /// Values in order, of any kinds.
    case array([EntryValue])
    /// Values by name.
    case object(EntryObject)
}

extension EntryValue: Hashable {
    /// Equal when their canonical JSON is the same.
    ///
    /// Texts are compared by their Unicode scalars, as in JSON; to Swift, é in one scalar and in two are equal.
    public static func == (left: EntryValue, right: EntryValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.integer(let integer), .double(let double)), (.double(let double), .integer(let integer)):
            // Beyond it, canonical JSON rounds a double to its shortest digits, and an integer not.
            integer.magnitude <= UInt(maximumInteger)
                ? Double(integer) == double : String(integer) == shortest(double)
        case (.string(let left), .string(let right)): left.hasSameScalars(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        canonicalBytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension EntryValue {
    /// The name of the value's kind as a user reads it: `string`, `number`, `Boolean`, `array of numbers`, `object`, ….
    public var kindName: String {
        switch self {
        case .null: "null"
        case .boolean: "Boolean"
        case .integer, .double: "number"
        case .string: "string"
        case .array(let elements): Self.kindName(ofArray: elements)
        case .object: "object"
        }
    }

    private static func kindName(ofArray elements: [EntryValue]) -> String {
        guard let first = elements.first else { return "empty array" }
        let kind = first.shortKindName
        return elements.allSatisfy { $0.shortKindName == kind } && kind != "null" ? "array of \(kind)s" : "array"
    }

    private var shortKindName: String { isArray ? "array" : kindName }

    // Inlined in other modules, whose lookups read them.
    @inlinable package var isArray: Bool { if case .array = self { true } else { false } }
    @inlinable package var isObject: Bool { if case .object = self { true } else { false } }

    /// The members of an object; `nil` for another kind.
    @inlinable package var members: EntryObject? { if case .object(let members) = self { members } else { nil } }
}

// Values as a program writes them: `["title": "Hi", "limit": 3, "tags": ["new", "hot"], "note": .null]`.

extension EntryValue: ExpressibleByStringInterpolation {
    /// A text.
    public init(stringLiteral text: String) { self = .string(text) }
}

extension EntryValue: ExpressibleByIntegerLiteral {
    /// A whole number; a source refuses it beyond ``maximumInteger``.
    public init(integerLiteral number: Int) { self = .integer(number) }
}

extension EntryValue: ExpressibleByFloatLiteral {
    /// A number; one without a fraction is an integer, as in JSON.
    public init(floatLiteral number: Double) {
        self.init(number: number)
    }
}

extension EntryValue: ExpressibleByBooleanLiteral {
    /// `true` or `false`.
    public init(booleanLiteral flag: Bool) { self = .boolean(flag) }
}

extension EntryValue: ExpressibleByArrayLiteral {
    /// An array.
    public init(arrayLiteral elements: EntryValue...) { self = .array(elements) }
}

extension EntryValue: ExpressibleByDictionaryLiteral {
    /// An object. A duplicate name is a programming error and traps, as in a dictionary literal.
    public init(dictionaryLiteral members: (String, EntryValue)...) {
        let object = EntryObject(members.lazy.map { (key: $0, value: $1) })
        precondition(object.count == members.count, "duplicate name in the object")
        self = .object(object)
    }
}

extension EntryValue {
    /// The largest magnitude of an integer: 2^53 − 1, as in RFC 7493 (I-JSON), section 2.2.
    public static let maximumInteger = 9_007_199_254_740_991

    /// The maximum size of a value as canonical JSON: 65,535 bytes.
    public static let maximumBytes = 65_535

    /// The maximum nesting of arrays and objects: 32 levels.
    public static let maximumDepth = 32
}
