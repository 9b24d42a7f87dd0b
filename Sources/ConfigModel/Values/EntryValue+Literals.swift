// Values as a program writes them: `["app.title": "Hi", "app.limit": 3, "app.tags": ["new", "hot"]]`.

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
        let isInteger = number == number.rounded() && abs(number) <= Double(Self.maximumInteger)
        self = isInteger ? .integer(Int(number)) : .double(number)
    }
}

extension EntryValue: ExpressibleByBooleanLiteral {
    /// `true` or `false`.
    public init(booleanLiteral flag: Bool) { self = .boolean(flag) }
}

extension EntryValue: ExpressibleByArrayLiteral {
    /// An array of texts, of numbers or of Booleans. What is written in the code with elements of several kinds is a mistake
    /// in the code, and traps.
    public init(arrayLiteral elements: EntryValue...) {
        guard let array = EntryValue(elements) else {
            preconditionFailure("an array of a configuration has elements of one kind, and no arrays")
        }
        self = array
    }

    /// The array of these scalars; `nil` if they are of several kinds or arrays themselves.
    private init?(_ elements: [EntryValue]) {
        func all<Element>(_ read: (EntryValue) -> Element?) -> [Element]? {
            let read = elements.compactMap(read)
            return read.count == elements.count ? read : nil
        }
        if let texts = all({ if case .string(let text) = $0 { text } else { nil } }) {
            self = .strings(texts)
        } else if let numbers = all({ if case .integer(let number) = $0 { number } else { nil } }) {
            self = .integers(numbers)
        } else if let numbers = all({ Double(configValue: $0) }) {
            self = .doubles(numbers)
        } else if let flags = all({ Bool(configValue: $0) }) {
            self = .booleans(flags)
        } else {
            return nil
        }
    }
}
