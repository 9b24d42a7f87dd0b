// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// A value as JSON has it, with `null` and nesting: the form in which values are stored and edited.
public enum JSONValue: Sendable {
    /// `null`: a value that is there and is nil, as opposed to no value.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A whole number, exact over the whole range of `Int`.
    case integer(Int)
    /// Any other finite number.
    case double(Double)
    /// A text.
    case string(String)
    /// Values in order, of any kinds.
    case array([JSONValue])
    /// Values by name.
    case object([ExactString: JSONValue])
}

extension JSONValue: Hashable {
    /// Equal when both are of one kind and have the same content. Texts are compared by their bytes, as in JSON.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.string(let left), .string(let right)): ExactString(left) == ExactString(right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let flag): hasher.combine(flag)
        case .integer(let number): hasher.combine(number)
        case .double(let number): hasher.combine(number)
        case .string(let text): hasher.combine(ExactString(text))
        case .array(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        }
    }
}

extension JSONValue {
    /// How deep arrays and objects may nest when they are read: 64.
    public static let maximumDepth = 64

    /// The value as JSON in one line; the members of objects are sorted by name.
    public var text: String { String(decoding: utf8, as: UTF8.self) }

    /// The bytes of ``text``.
    package var utf8: [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    private func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .boolean(let flag): json.boolean(flag)
        case .integer(let number): json.number(number)
        // Swift's spelling is the shortest that reads back as the same number, and it is one of JSON as well.
        case .double(let number): json.raw(number.isFinite ? number.description : "null")
        case .string(let text): json.string(text)
        case .array(let elements):
            json.array { json in
                for element in elements { element.write(to: &json) }
            }
        case .object(let members):
            json.object { json in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    json.member(name.string) { value.write(to: &$0) }
                }
            }
        }
    }
}

extension JSONValue {
    /// The same value of JSON.
    public init(_ value: EntryValue) {
        switch value {
        case .null: self = .null
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let number): self = .integer(number)
        case .double(let number): self = .double(number)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map(JSONValue.init))
        case .object(let members):
            self = .object(Dictionary(members.map { (ExactString($0.key), JSONValue($0.value)) }) { $1 })
        }
    }

    /// Reads a text that is one JSON value.
    ///
    /// - Throws: `ConfigError` with the line and column of the first fault.
    public init(text: String) throws(ConfigError) {
        try self.init(utf8: Array(text.utf8))
    }

    package init(utf8 bytes: [UInt8]) throws(ConfigError) {
        guard bytes.count <= ConfigDocument.maximumBytes else {
            throw ConfigError(.tooLarge, "the text is larger than 8 MiB")
        }
        var scanner = try JSONScanner(bytes)
        self = try Self.read(from: &scanner, depth: 0)
        scanner.skipWhitespace()
        if scanner.current != nil { throw scanner.unexpected("nothing after the value") }
    }

    private static func read(from scanner: inout JSONScanner, depth: Int) throws(ConfigError) -> JSONValue {
        guard depth < maximumDepth else {
            throw scanner.error(.tooLarge, "the value nests deeper than \(maximumDepth) levels")
        }
        scanner.skipWhitespace()
        switch scanner.current {
        case UInt8(ascii: "["):
            var elements: [JSONValue] = []
            try scanner.array { (scanner) throws(ConfigError) in
                elements.append(try read(from: &scanner, depth: depth + 1))
            }
            return .array(elements)
        case UInt8(ascii: "{"):
            var members: [ExactString: JSONValue] = [:]
            try scanner.object { (name, scanner) throws(ConfigError) in
                members[ExactString(name)] = try read(from: &scanner, depth: depth + 1)
            }
            return .object(members)
        case UInt8(ascii: "\""): return .string(try scanner.text())
        case .some(UInt8(ascii: "a")...UInt8(ascii: "z")): return try scanner.word().map(JSONValue.boolean) ?? .null
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number(from: &scanner)
        default: throw scanner.unexpected("a value")
        }
    }

    private static func number(from scanner: inout JSONScanner) throws(ConfigError) -> JSONValue {
        let start = scanner.location
        let (text, isInteger) = try scanner.numberText()
        // "-0" is a number that no integer has.
        if isInteger, let integer = Int(text), text != "-0" { return .integer(integer) }
        return .double(try JSONScanner.double(text, at: start))
    }
}
