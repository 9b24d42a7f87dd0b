import ConfigModel

/// Reads documents as the rules say it, without haste: scalar by scalar, each place counted from the beginning.
///
/// It knows no limit to the size of a value.
struct ReferenceReader {
    struct Entry: Equatable {
        var value: EntryValue
        var location: TextLocation?
    }

    private var entries: [String: Entry] = [:]
    private let scalars: [Unicode.Scalar]
    private var index = 0

    /// What a document holds, or what is wrong with it.
    static func read(_ text: String) -> Result<[String: Entry], ConfigError> {
        Result { () throws(ConfigError) in
            var reader = ReferenceReader(text)
            do throws(ConfigError) {
                try reader.readDocument()
                return reader.entries
            } catch {
                throw error.naming(source: "d.json")
            }
        }
    }

    private init(_ text: String) {
        let all = Array(text.unicodeScalars)
        scalars = all.first == "\u{FEFF}" ? Array(all.dropFirst()) : all
    }

    // MARK: Places and tokens

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private var location: TextLocation {
        let lines = scalars[..<index].split(separator: "\n", omittingEmptySubsequences: false)
        return TextLocation(line: lines.count, column: (lines.last?.count ?? 0) + 1)
    }

    private func error(_ message: String, _ code: ConfigError.Code = .syntax) -> ConfigError {
        ConfigError(code, message, location: location)
    }

    private func unexpected(_ expectation: String) -> ConfigError {
        guard let next else { return error("the text ends where \(expectation) should follow") }
        let found = ("!"..."~").contains(next) ? "'\(next)'" : "something else"
        return error("expected \(expectation), found \(found)")
    }

    private mutating func skipSpace() {
        while let next, " \n\r\t".unicodeScalars.contains(next) { index += 1 }
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == scalar else { return false }
        index += 1
        return true
    }

    private mutating func expect(_ scalar: Unicode.Scalar, _ purpose: String) throws(ConfigError) {
        guard skip(scalar) else { throw unexpected("'\(scalar)' \(purpose)") }
    }

    private mutating func read(while isWanted: (Unicode.Scalar) -> Bool) -> String {
        var text = String.UnicodeScalarView()
        while let next, isWanted(next) {
            text.append(next)
            index += 1
        }
        return String(text)
    }

    // MARK: Objects

    private mutating func readDocument() throws(ConfigError) {
        skipSpace()
        guard next != nil else { throw error("the document is empty; write at least {}") }
        try readObject(prefix: "")
        skipSpace()
        if next != nil { throw unexpected("nothing after the document's last '}'") }
    }

    private mutating func readObject(prefix: String) throws(ConfigError) {
        try expect("{", "to open an object")
        if skip("}") { return }
        var members: [(key: String, location: TextLocation, isObject: Bool)] = []
        repeat {
            skipSpace()
            guard next == "\"" else { throw unexpected("a key in quotes") }
            let place = location
            let key = prefix + (try string())
            if let problem = KeyRule.problem(in: key) {
                let shown = key.excerpt(ofScalars: KeyRule.maximumLength)
                throw ConfigError(.invalidKey, "the key \(problem)", location: place, key: shown)
            }
            try expect(":", "after the key")
            skipSpace()
            let (start, isObject) = (location, next == "{")
            // A value is one wherever else its key has a value; an object is none beside objects elsewhere.
            let member = members.first { $0.key == key }?.location
            if let first = member ?? (isObject ? nil : entries[key]?.location) {
                let message = "duplicate key, first defined at \(first); remove one"
                throw ConfigError(.duplicateKey, message, location: place, key: key)
            }
            members.append((key, start, isObject))
            if isObject {
                try readObject(prefix: key + ".")
            } else {
                entries[key] = Entry(value: try value(of: key), location: start)
            }
        } while skip(",")
        try expect("}", "or ',' after a value")
    }

    private mutating func value(of key: String) throws(ConfigError) -> EntryValue {
        do throws(ConfigError) {
            return next == "[" ? try array() : try scalar()
        } catch {
            throw error.naming(key: key)
        }
    }

    // MARK: Values

    private mutating func array() throws(ConfigError) -> EntryValue {
        try expect("[", "")
        if skip("]") { return .strings([]) }
        var elements: [EntryValue] = []
        repeat {
            skipSpace()
            let place = location
            let element = try scalar()
            if let last = elements.last, last.kindName != element.kindName {
                let message = "an array holds values of one kind: all strings, all numbers or all Booleans"
                throw ConfigError(.unsupportedValue, message, location: place)
            }
            elements.append(element)
        } while skip(",")
        try expect("]", "or ',' in the array")
        return Self.joined(elements)
    }

    private static func joined(_ elements: [EntryValue]) -> EntryValue {
        switch elements[0] {
        case .string: return .strings(elements.compactMap(String.init(configValue:)))
        case .boolean: return .booleans(elements.compactMap(Bool.init(configValue:)))
        default:
            let integers = elements.compactMap(Int.init(configValue:))
            if integers.count == elements.count { return .integers(integers) }
            return .doubles(elements.compactMap(Double.init(configValue:)))
        }
    }

    private mutating func scalar() throws(ConfigError) -> EntryValue {
        skipSpace()
        let place = location
        switch next {
        case "\"": return .string(try string())
        case .some("-"), .some("0"..."9"): return try number()
        case "[": throw error("an array may not hold an array", .unsupportedValue)
        case "{": throw error("an array may not hold an object", .unsupportedValue)
        case .some("a"..."z"):
            let word = read { ("a"..."z").contains($0) }
            if word == "true" || word == "false" { return .boolean(word == "true") }
            let message =
                word == "null"
                ? "null is not a value; leave the key out instead"
                : "expected a value, found '\(word.prefix(20))'; texts need quotes"
            throw ConfigError(word == "null" ? .unsupportedValue : .syntax, message, location: place)
        default: throw unexpected("a value")
        }
    }

    private mutating func number() throws(ConfigError) -> EntryValue {
        let place = location
        var text = next == "-" ? "-" : ""
        index += text.count
        let whole = try digits()
        if whole.count > 1, whole.hasPrefix("0") {
            throw ConfigError(.syntax, "a number may not start with 0", location: place)
        }
        text += whole
        let isInteger = next != "." && next != "e" && next != "E"
        if next == "." {
            index += 1
            text += "." + (try digits())
        }
        if next == "e" || next == "E" {
            index += 1
            text += "e"
            if next == "+" || next == "-" {
                text += next == "-" ? "-" : ""
                index += 1
            }
            text += try digits()
        }
        guard let number = Double(text), number.isFinite else {
            throw ConfigError(.unsupportedValue, "the number is too large", location: place)
        }
        if number.magnitude <= 9_007_199_254_740_991, number == number.rounded() { return .integer(Int(number)) }
        if isInteger, EntryValue.double(number).canonicalJSON != text {
            let message = "the integer is beyond ±(2^53 − 1), where JSON readers disagree; write it as a string"
            throw ConfigError(.unsupportedValue, message, location: place)
        }
        return .double(number)
    }

    private mutating func digits() throws(ConfigError) -> String {
        let digits = read { ("0"..."9").contains($0) }
        guard !digits.isEmpty else { throw unexpected("a digit") }
        return digits
    }

    // MARK: Strings

    private mutating func string() throws(ConfigError) -> String {
        index += 1
        var text = String.UnicodeScalarView()
        while true {
            switch next {
            case nil: throw error("the text ends inside a string; close it with '\"'")
            case "\"":
                index += 1
                return String(text)
            case "\\": text.append(try escape())
            case .some("\0"..."\u{1F}"):
                let message = "a line break or control character inside a string; write it as an escape, such as \\n"
                throw error(message)
            case .some(let scalar):
                text.append(scalar)
                index += 1
            }
        }
    }

    private mutating func escape() throws(ConfigError) -> Unicode.Scalar {
        index += 1
        guard let letter = next else { throw error("the text ends inside an escape") }
        let plain: [Unicode.Scalar: Unicode.Scalar] = [
            "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
        ]
        if let scalar = plain[letter] {
            index += 1
            return scalar
        }
        guard letter == "u" else { throw unexpected("one of \" \\ / b f n r t u after the backslash") }
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let half = "half a surrogate pair; an emoji escape has two halves, such as \\ud83d\\ude38"
        guard first < 0xDC00, next == "\\" else { throw error(half) }
        index += 1
        guard next == "u" else { throw error(half) }
        let second = try unit()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) * 0x400 + (second - 0xDC00))
        else { throw error(half) }
        return scalar
    }

    private mutating func unit() throws(ConfigError) -> UInt32 {
        index += 1
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let next, next.isASCII, let digit = Character(next).hexDigitValue else {
                throw unexpected("four hexadecimal digits after \\u")
            }
            value = value * 16 + UInt32(digit)
            index += 1
        }
        return value
    }
}
