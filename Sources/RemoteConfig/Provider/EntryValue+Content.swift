internal import ConfigModel
internal import Configuration

extension EntryValue {
    /// The value as swift-configuration's type; `nil` if it is of another kind.
    ///
    /// JSON writes `3` for a decimal as well, and `[]` for arrays of every type. Bytes are written in Base64.
    func content(as type: ConfigType) -> ConfigContent? {
        switch (type, self) {
        case (.string, .string(let text)): .string(text)
        case (.int, .integer(let number)): .int(number)
        case (.double, .double(let number)): .double(number)
        case (.double, .integer(let number)): .double(Double(number))
        case (.bool, .boolean(let flag)): .bool(flag)
        case (.bytes, .string(let text)): Self.bytes(text).map { .bytes($0) }
        default: arrayContent(as: type)
        }
    }

    private func arrayContent(as type: ConfigType) -> ConfigContent? {
        switch (type, self) {
        case (.stringArray, .strings(let texts)): .stringArray(texts)
        case (.intArray, .integers(let numbers)): .intArray(numbers)
        case (.doubleArray, .doubles(let numbers)): .doubleArray(numbers)
        case (.doubleArray, .integers(let numbers)): .doubleArray(numbers.map(Double.init))
        case (.boolArray, .booleans(let flags)): .boolArray(flags)
        case (.byteChunkArray, .strings(let texts)): Self.chunks(texts).map { .byteChunkArray($0) }
        case (.intArray, .strings(let none)) where none.isEmpty: .intArray([])
        case (.doubleArray, .strings(let none)) where none.isEmpty: .doubleArray([])
        case (.boolArray, .strings(let none)) where none.isEmpty: .boolArray([])
        default: nil
        }
    }

    private static func bytes(_ text: String) -> [UInt8]? { ConfigBytesFromBase64StringDecoder().decode(text) }

    private static func chunks(_ texts: [String]) -> [[UInt8]]? {
        let chunks = texts.compactMap(bytes)
        return chunks.count == texts.count ? chunks : nil
    }
}

extension ConfigType {
    /// What a user calls the type.
    var spokenName: String {
        switch self {
        case .string: "string"
        case .int: "integer"
        case .double: "number"
        case .bool: "Boolean"
        case .bytes: "bytes in Base64"
        case .stringArray: "array of strings"
        case .intArray: "array of integers"
        case .doubleArray: "array of numbers"
        case .boolArray: "array of Booleans"
        case .byteChunkArray: "array of bytes in Base64"
        }
    }
}
