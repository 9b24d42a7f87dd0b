// SPDX-License-Identifier: Apache-2.0

#if TOML
    internal import ConfigModel

    /// Reads the tokens of TOML 1.0.
    struct TOMLScanner {
        var json: JSONScanner

        mutating func skipSpaces() { _ = json.read { $0 == 0x20 || $0 == 0x09 } }

        /// Skips white space, line breaks and comments.
        ///
        /// - Returns: whether something follows.
        mutating func skipToStatement() throws(ConfigError) -> Bool {
            while true {
                skipSpaces()
                switch json.current {
                case nil: return false
                case UInt8(ascii: "#"): try skipComment()
                case 0x0A, 0x0D: try skipLineBreak()
                default: return true
                }
            }
        }

        private mutating func skipComment() throws(ConfigError) {
            _ = json.read { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
            if let byte = json.current, byte != 0x0A, byte != 0x0D { throw controlCharacter }
        }

        private mutating func skipLineBreak() throws(ConfigError) {
            if json.current == 0x0D { json.advance() }
            guard json.current == 0x0A else { throw controlCharacter }
            json.advance()
        }

        private var controlCharacter: ConfigError {
            mutating get { json.error(.syntax, "a control character; remove it, or write an escape such as \\t") }
        }

        /// Reads to the end of a line, on which nothing follows.
        mutating func endLine() throws(ConfigError) {
            skipSpaces()
            if json.current == UInt8(ascii: "#") { try skipComment() }
            guard let byte = json.current else { return }
            guard byte == 0x0A || byte == 0x0D else { throw json.unexpected("a line break") }
            try skipLineBreak()
        }

        mutating func expect(_ byte: Unicode.Scalar, _ purpose: String) throws(ConfigError) {
            skipSpaces()
            guard json.current == UInt8(ascii: byte) else { throw json.unexpected("'\(byte)' \(purpose)") }
            json.advance()
        }

        /// Reads a key, by its names between dots.
        mutating func key() throws(ConfigError) -> [String] {
            var names: [String] = []
            while true {
                skipSpaces()
                switch json.current {
                case UInt8(ascii: "\""): names.append(try text(isLiteral: false))
                case UInt8(ascii: "'"): names.append(try text(isLiteral: true))
                default: names.append(try bareName())
                }
                skipSpaces()
                guard json.current == UInt8(ascii: "."), names.count <= KeyRule.maximumLength else { return names }
                json.advance()
            }
        }

        private mutating func bareName() throws(ConfigError) -> String {
            let name = json.read { $0 == 0x2D || $0 == 0x5F || (0x30...0x39).contains($0) || $0.isLetter }
            guard !name.isEmpty else { throw json.unexpected("a key") }
            return String(decoding: name, as: UTF8.self)
        }
    }

    // Values.
    extension TOMLScanner {
        /// Reads a scalar.
        ///
        /// - Returns: what it is in JSON.
        mutating func scalar() throws(ConfigError) -> String {
            let place = json.location
            switch json.current {
            case UInt8(ascii: "\""): return EntryValue.string(try text(isLiteral: false, isLong: true)).canonicalJSON
            case UInt8(ascii: "'"): return EntryValue.string(try text(isLiteral: true, isLong: true)).canonicalJSON
            default: break
            }
            var word = try word()
            // A date and its time may have a space in between.
            let isBeforeDigit = json.current == 0x20 && json.next(1).map { (0x30...0x39).contains($0) } == true
            if isBeforeDigit, Self.moment(word) != nil, word.utf8.count == 10 {
                json.advance()
                word += "T" + (try self.word())
            }
            if word == "true" || word == "false" { return word }
            if let moment = Self.moment(word) { return EntryValue.string(moment).canonicalJSON }
            if let number = Self.number(word) { return number }
            if word.drop(while: { "+-".contains($0) }) == "inf" || word.drop(while: { "+-".contains($0) }) == "nan" {
                let message = "a number has to be finite; write it as a text, in quotes"
                throw ConfigError(.unsupportedValue, message, location: place)
            }
            if word.isEmpty { throw json.unexpected("a value") }
            let message = "expected a value, found '\(word.excerpt(ofScalars: 20))'; texts need quotes"
            throw ConfigError(.syntax, message, location: place)
        }

        /// How many bytes a number or a date may have, so that none takes long to recognize.
        private static let maximumWord = 1024

        private mutating func word() throws(ConfigError) -> String {
            let place = json.location
            let word = json.read { "+-.:_".utf8.contains($0) || (0x30...0x39).contains($0) || $0.isLetter }
            guard word.count <= Self.maximumWord else {
                let message = "a number or date has at most \(Self.maximumWord) characters; texts need quotes"
                throw ConfigError(.tooLarge, message, location: place)
            }
            return String(decoding: word, as: UTF8.self)
        }

        // A literal is compiled each time that it is evaluated; these are never changed.
        nonisolated(unsafe) private static let momentForm =
            #/
            (?:([0-9]{4})-([0-9]{2})-([0-9]{2}))? ([Tt])?
            (?:([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?)? ([Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])?
            /#
        nonisolated(unsafe) private static let digitsForm = /[0-9A-Fa-f]+(_[0-9A-Fa-f]+)*/
        nonisolated(unsafe) private static let numberForm =
            /[+-]?(?:0|[1-9](?:_?[0-9])*)(?:\.[0-9](?:_?[0-9])*)?(?:[eE][+-]?[0-9](?:_?[0-9])*)?/

        /// A date, a time or both as RFC 3339 writes them; `nil` if the word is none.
        private static func moment(_ word: String) -> String? {
            // Most numbers are told apart by this alone.
            guard word.utf8.count >= 8, word.utf8.contains(where: { "-:".utf8.contains($0) }) else { return nil }
            guard let match = word.wholeMatch(of: Self.momentForm) else { return nil }
            let (hasDate, hasTime) = (match.1 != nil, match.5 != nil)
            let hasBoth = hasDate && hasTime
            guard hasDate || hasTime, (match.4 != nil) == hasBoth, match.8 == nil || hasBoth else { return nil }
            let parts = [(match.2, 1...12), (match.3, 1...31), (match.5, 0...23), (match.6, 0...59), (match.7, 0...60)]
            let isInRange = parts.allSatisfy { text, range in text.flatMap { Int($0) }.map(range.contains) ?? true }
            guard isInRange, isDay(match.1, match.2, match.3) else { return nil }
            return word.uppercased()
        }

        private static func isDay(_ year: Substring?, _ month: Substring?, _ day: Substring?) -> Bool {
            guard let year = year.flatMap({ Int($0) }), let month = month.flatMap({ Int($0) }),
                let day = day.flatMap({ Int($0) })
            else { return true }
            let isLeapYear = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
            return switch month {
            case 2: day <= (isLeapYear ? 29 : 28)
            case 4, 6, 9, 11: day <= 30
            default: true
            }
        }

        /// A number in JSON; `nil` if the word is none.
        private static func number(_ word: String) -> String? {
            for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where word.hasPrefix(prefix) {
                let digits = word.dropFirst(2)
                guard digits.wholeMatch(of: Self.digitsForm) != nil,
                    digits.allSatisfy({ $0 == "_" || $0.hexDigitValue.map { $0 < radix } == true })
                else { return nil }
                // One that is too large is refused by the reader of JSON.
                return String(UInt64(digits.filter { $0 != "_" }, radix: radix) ?? .max)
            }
            guard word.wholeMatch(of: Self.numberForm) != nil else { return nil }
            return String((word.hasPrefix("+") ? word.dropFirst() : word[...]).filter { $0 != "_" })
        }
    }

    // Texts.
    extension TOMLScanner {
        /// Reads a text in quotes.
        ///
        /// - Parameter isLong: whether three quotes may begin one of several lines.
        private mutating func text(isLiteral: Bool, isLong: Bool = false) throws(ConfigError) -> String {
            let quote = UInt8(ascii: isLiteral ? "'" : "\"")
            json.advance()
            guard json.current == quote else { return try line(until: quote) }
            json.advance()
            guard isLong, json.current == quote else { return "" }
            json.advance()
            if json.current == 0x0D, json.next(1) == 0x0A { json.advance() }
            if json.current == 0x0A { json.advance() }
            return try lines(until: quote)
        }

        private mutating func line(until quote: UInt8) throws(ConfigError) -> String {
            var text: [UInt8] = []
            while let byte = json.current, byte != quote {
                if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                    try escape(into: &text, isLong: false)
                } else {
                    try character(byte, into: &text, isLong: false)
                }
            }
            guard json.current == quote else { throw unclosed }
            json.advance()
            return String(decoding: text, as: UTF8.self)
        }

        private mutating func lines(until quote: UInt8) throws(ConfigError) -> String {
            var text: [UInt8] = []
            while let byte = json.current {
                if byte == quote {
                    var count = 0
                    while json.current == quote, count < 5 {
                        json.advance()
                        count += 1
                    }
                    // One or two quotes may stand before the three at the end.
                    text += repeatElement(quote, count: count >= 3 ? count - 3 : count)
                    if count >= 3 { return String(decoding: text, as: UTF8.self) }
                } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                    try escape(into: &text, isLong: true)
                } else {
                    try character(byte, into: &text, isLong: true)
                }
            }
            throw unclosed
        }

        private var unclosed: ConfigError {
            mutating get { json.error(.syntax, "the text ends inside a string; close it with a quote") }
        }

        private mutating func character(_ byte: UInt8, into text: inout [UInt8], isLong: Bool) throws(ConfigError) {
            let isLineBreak = byte == 0x0A || byte == 0x0D && json.next(1) == 0x0A
            guard byte == 0x09 || byte >= 0x20 && byte != 0x7F || isLong && isLineBreak else {
                guard isLineBreak else { throw controlCharacter }
                throw json.error(.syntax, "a line break inside a string; close it, or use three quotes")
            }
            text.append(byte)
            json.advance()
        }

        private mutating func escape(into text: inout [UInt8], isLong: Bool) throws(ConfigError) {
            let place = json.location
            json.advance()
            guard let letter = json.current else { throw unclosed }
            if isLong, [0x20, 0x09, 0x0A, 0x0D].contains(letter) { return try skipFoldedLine(from: place) }
            json.advance()
            switch letter {
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(letter)
            case UInt8(ascii: "u"): text += try scalar(ofDigits: 4, from: place).utf8
            case UInt8(ascii: "U"): text += try scalar(ofDigits: 8, from: place).utf8
            default:
                throw ConfigError(.syntax, "expected one of b t n f r \" \\ u U after the backslash", location: place)
            }
        }

        private mutating func scalar(ofDigits count: Int, from place: TextLocation) throws(ConfigError) -> String {
            var digits: [UInt8] = []
            while digits.count < count, let byte = json.current, byte != 0x0A {
                digits.append(byte)
                json.advance()
            }
            let isHexadecimal = digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
            guard digits.count == count, isHexadecimal,
                let scalar = UInt32(String(decoding: digits, as: UTF8.self), radix: 16).flatMap(Unicode.Scalar.init)
            else {
                throw ConfigError(.syntax, "the escape is no Unicode scalar of \(count) digits", location: place)
            }
            return String(scalar)
        }

        /// A backslash at the end of a line leaves out all white space up to the next character.
        private mutating func skipFoldedLine(from place: TextLocation) throws(ConfigError) {
            var hasLineBreak = false
            while let byte = json.current, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                if byte == 0x0A { hasLineBreak = true }
                json.advance()
            }
            if !hasLineBreak {
                throw ConfigError(.syntax, "expected a line break after the backslash, or an escape", location: place)
            }
        }
    }

    extension JSONScanner {
        /// The byte so far after the current one; `nil` beyond the end.
        fileprivate func next(_ distance: Int) -> UInt8? {
            offset + distance < bytes.count ? bytes[offset + distance] : nil
        }
    }

    extension UInt8 {
        fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    }
#endif
