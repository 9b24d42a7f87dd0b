// SPDX-License-Identifier: Apache-2.0

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
