internal import ConfigModel

/// A value as JSON has it, with `null` and nesting: the form in which values are stored and edited.
///
/// ```swift
/// JSONValue.array([.string("a, b"), .string("\n")]).text  // #"["a, b","\n"]"#
/// ```
public enum JSONValue: Hashable, Sendable {
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
    case object([String: JSONValue])
}

extension JSONValue {
    /// How deep arrays and objects may nest when they are read: 64.
    public static let maximumDepth = 64

    /// The name of the value's kind as a user reads it, with its article: `a string`, `an array`, ….
    public var kindName: String {
        switch self {
        case .null: "null"
        case .boolean: "a Boolean"
        case .integer, .double: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

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
                    json.member(name) { value.write(to: &$0) }
                }
            }
        }
    }
}
