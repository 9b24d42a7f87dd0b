// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// Reads documents as the rules say it, without haste: scalar by scalar, each place counted from the beginning.
///
/// It knows no limit to the size of a value, and only plain documents.
struct ReferenceReader {
    struct Entry: Equatable {
        var value: EntryValue
        var location: TextLocation?
    }

    /// What a document holds, and why keys were left out.
    struct Reading: Equatable {
        var entries: [String: Entry] = [:]
        var problems: [ConfigError] = []
    }

    private var entries: [ExactString: Entry] = [:]
    private var problems: [ConfigError] = []
    /// Where the keys are that were left out.
    private var leftOut: [ExactString: TextLocation] = [:]
    private let scalars: [Unicode.Scalar]
    private var index = 0

    /// What a document holds, or what is wrong with it.
    static func read(_ text: String) -> Result<Reading, ConfigError> {
        Result { () throws(ConfigError) in
            var reader = ReferenceReader(text)
            do throws(ConfigError) {
                try reader.readDocument()
                return Reading(
                    entries: Dictionary(reader.entries.map { ($0.key.string, $0.value) }) { $1 },
                    problems: reader.problems.prefix(ConfigDocument.maximumProblems).map { $0.naming(source: "d.json") }
                )
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
        var members: [(key: ExactString, location: TextLocation)] = []
        repeat {
            skipSpace()
            guard next == "\"" else { throw unexpected("a key in quotes") }
            let place = location
            let key = prefix + (try string())
            let name = ExactString(key)
            try expect(":", "after the key")
            skipSpace()
            let (start, isObject) = (location, next == "{")
            // A value is one wherever else its key has a value; an object is none beside objects elsewhere.
            let member = members.first { $0.key == name }?.location
            let shown = key.excerpt(ofScalars: KeyRule.maximumLength)
            if let first = member ?? (isObject ? nil : leftOut[name] ?? entries[name]?.location) {
                let message = "duplicate key, first defined at \(first); remove one"
                throw ConfigError(.duplicateKey, message, location: place, key: shown)
            }
            if let problem = KeyRule.problem(in: key) {
                leftOut[name] = place
                members.append((name, place))
                problems.append(ConfigError(.invalidKey, "the key \(problem)", location: place, key: shown))
                try skipValue()
                continue
            }
            members.append((name, start))
            if isObject {
                try readObject(prefix: key + ".")
                continue
            }
            let beginning = index
            do throws(ConfigError) {
                entries[name] = Entry(value: try value(of: key), location: start)
            } catch {
                guard error.code == .unsupportedValue else { throw error }
                index = beginning
                members[members.count - 1].location = place
                leftOut[name] = place
                problems.append(error)
                try skipValue()
            }
        } while skip(",")
        try expect("}", "or ',' after a value")
    }

    private mutating func value(of key: String) throws(ConfigError) -> EntryValue {
        let place = location
        do throws(ConfigError) {
            let value = try part()
            if value != .null { return value }
            throw ConfigError(.unsupportedValue, "null is not a value; leave the key out instead", location: place)
        } catch {
            throw error.naming(key: key)
        }
    }

    // MARK: Values

    private mutating func part() throws(ConfigError) -> EntryValue {
        skipSpace()
        switch next {
        case "[":
            try expect("[", "")
            var elements: [EntryValue] = []
            if skip("]") { return .array([]) }
            repeat { elements.append(try part()) } while skip(",")
            try expect("]", "or ',' in the array")
            return .array(elements)
        case "{":
            try expect("{", "")
            var members: [(key: String, value: EntryValue, place: TextLocation)] = []
            if skip("}") { return [:] }
            repeat {
                let (name, place) = try name()
                members.append((name, try part(), place))
            } while skip(",")
            try expect("}", "or ',' after a value")
            for (index, member) in members.enumerated() {
                let isSecond = members[..<index].contains {
                    $0.key.unicodeScalars.elementsEqual(member.key.unicodeScalars)
                }
                guard isSecond else { continue }
                let message = "duplicate name \"\(member.key.excerpt(ofScalars: 64))\"; remove one"
                throw ConfigError(.duplicateKey, message, location: member.place)
            }
            return .object(EntryObject(members.map { (key: $0.key, value: $0.value) }))
        case "\"": return .string(try string())
        case .some("-"), .some("0"..."9"): return try number()
        case .some("a"..."z"): return try word()
        default: throw unexpected("a value")
        }
    }

    private mutating func name() throws(ConfigError) -> (String, TextLocation) {
        skipSpace()
        guard next == "\"" else { throw unexpected("a name in quotes") }
        let place = location
        let name = try string()
        try expect(":", "after the name")
        return (name, place)
    }

    /// Passes over a value of any form.
    private mutating func skipValue() throws(ConfigError) {
        skipSpace()
        switch next {
        case "[":
            try expect("[", "")
            if skip("]") { return }
            repeat { try skipValue() } while skip(",")
            try expect("]", "or ',' in the array")
        case "{":
            try expect("{", "")
            if skip("}") { return }
            repeat {
                _ = try name()
                try skipValue()
            } while skip(",")
            try expect("}", "or ',' after a value")
        case "\"": _ = try string()
        case .some("-"), .some("0"..."9"): _ = try numberText()
        case .some("a"..."z"): _ = try word()
        default: throw unexpected("a value")
        }
    }

    private mutating func word() throws(ConfigError) -> EntryValue {
        let place = location
        let word = read { ("a"..."z").contains($0) }
        guard let value = ["true": EntryValue.boolean(true), "false": .boolean(false), "null": .null][word] else {
            let message = "expected a value, found '\(word.prefix(20))'; texts need quotes"
            throw ConfigError(.syntax, message, location: place)
        }
        return value
    }

    private mutating func number() throws(ConfigError) -> EntryValue {
        let place = location
        let text = try numberText()
        guard let number = Double(text), number.isFinite else {
            let message = "the number is too large; write it as a string"
            throw ConfigError(.unsupportedValue, message, location: place)
        }
        let isInteger = number.magnitude <= 9_007_199_254_740_991 && number == number.rounded()
        let value: EntryValue = isInteger ? .integer(Int(number)) : .double(number)
        if !isInteger, !text.contains(where: ".e".contains), value.canonicalJSON != text {
            let message = "the integer is beyond ±(2^53 − 1), where JSON readers disagree; write it as a string"
            throw ConfigError(.unsupportedValue, message, location: place)
        }
        guard Self.sameNumber(text, value.canonicalJSON) else {
            let message = "a double does not keep all digits of the number; write \(value.canonicalJSON), or a string"
            throw ConfigError(.unsupportedValue, message, location: place)
        }
        return value
    }

    /// Whether two numbers are the same one, digit by digit.
    private static func sameNumber(_ left: String, _ right: String) -> Bool {
        let (left, right) = (scaled(left), scaled(right))
        if left.digits.isEmpty || right.digits.isEmpty { return left.digits == right.digits }
        return left == right
    }

    /// A number as an integer without zeros at its end, and the power of ten that it has to be multiplied by.
    private static func scaled(_ text: String) -> (digits: String, exponent: Int) {
        let parts = text.split(separator: "e")
        var exponent = parts.count > 1 ? Int(parts[1]) ?? .min / 2 : 0
        if let point = parts[0].firstIndex(of: ".") {
            exponent -= parts[0].distance(from: point, to: parts[0].endIndex) - 1
        }
        var digits = parts[0].filter { $0 != "." && $0 != "-" }.drop { $0 == "0" }
        while digits.last == "0" {
            digits.removeLast()
            exponent += 1
        }
        return ((text.hasPrefix("-") && !digits.isEmpty ? "-" : "") + digits, exponent)
    }

    /// A number as it is spelled, with a small e and no plus.
    private mutating func numberText() throws(ConfigError) -> String {
        let place = location
        var text = next == "-" ? "-" : ""
        index += text.count
        let whole = try digits()
        if whole.count > 1, whole.hasPrefix("0") {
            throw ConfigError(.syntax, "a number may not start with 0", location: place)
        }
        text += whole
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
        return text
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
