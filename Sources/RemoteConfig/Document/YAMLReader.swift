// SPDX-License-Identifier: Apache-2.0

#if YAML
    internal import ConfigModel

    /// Rewrites YAML as JSON.
    ///
    /// Plain scalars follow the core schema of YAML 1.2: `no` and `2026-01-02` are strings. An alias is replaced by its
    /// anchor's node, as long as the whole does not become too large.
    struct YAMLReader {
        private var translation = Translation()
        private var open: [Collection] = []
        private var anchors: [ExactString: Anchored] = [:]

        /// A mapping or sequence that has not ended.
        private struct Collection {
            let bracket: Unicode.Scalar
            let anchor: String?
            let start: Translation.Start
            var isKeyNext: Bool
        }

        /// An anchored node.
        private struct Anchored {
            let part: Translation.Part
            /// Its text, if it is a scalar.
            let text: String?
        }

        /// Deeper than any key can lead.
        private static let maximumDepth = KeyRule.maximumLength

        static func translation(of text: [UInt8]) throws(ConfigError) -> Translation {
            // Reports the position of invalid UTF-8.
            _ = try JSONScanner(text)
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            let events = try YAMLEvents(text.starts(with: mark) ? Array(text.dropFirst(mark.count)) : text)
            var reader = YAMLReader()
            try reader.read(events)
            return reader.translation
        }

        private mutating func read(_ events: YAMLEvents) throws(ConfigError) {
            guard case (.documentStart, _) = try events.next() else {
                throw ConfigError(.syntax, "the document is empty; write at least {}", location: Self.beginning)
            }
            let (root, place) = try events.next()
            guard case .mappingStart = root else {
                throw ConfigError(.syntax, "the document must be a mapping of keys to values", location: place)
            }
            try read(root, at: place)
            while !open.isEmpty {
                let (event, place) = try events.next()
                try read(event, at: place)
            }
            // The end of the document, and the input after it.
            _ = try events.next()
            let (event, next) = try events.next()
            if case .streamEnd = event { return }
            throw ConfigError(
                .syntax,
                "multiple documents in a file are not supported; remove everything after '---'",
                location: next
            )
        }

        private static let beginning = TextLocation(line: 1, column: 1)

        private mutating func read(_ event: YAMLEvents.Event, at place: TextLocation) throws(ConfigError) {
            if case .end = event { return try end(at: place) }
            if open.last?.isKeyNext == true {
                try translation.key(try key(event, at: place), at: place)
                open[open.count - 1].isKeyNext = false
                return
            }
            switch event {
            case .mappingStart(let node): try begin("{", node, "map", at: place)
            case .sequenceStart(let node): try begin("[", node, "seq", at: place)
            case .scalar(let text, let isPlain, let node):
                let json = try YAMLScalar(text, isPlain: isPlain, tag: node.tag, at: place).json
                let start = try translation.scalar(json ?? EntryValue.string(text).canonicalJSON, at: place)
                mark(node.anchor, since: start, text: text)
                valueEnded()
            case .alias(let name):
                try translation.copy(try anchored(name, at: place).part)
                valueEnded()
            case .end, .documentStart, .documentEnd, .streamEnd: break
            }
        }

        private mutating func key(_ event: YAMLEvents.Event, at place: TextLocation) throws(ConfigError) -> String {
            switch event {
            case .scalar("<<", isPlain: true, _):
                let message = "merge keys (<<) are not part of YAML 1.2; copy the members"
                throw ConfigError(.unsupportedValue, message, location: place)
            case .scalar(let text, _, let node):
                if let anchor = node.anchor {
                    let message = "anchors on keys are not supported; move &\(anchor.excerpt(ofScalars: 40)) to a value"
                    throw ConfigError(.unsupportedValue, message, location: place)
                }
                return text
            case .alias(let name):
                if let text = try anchored(name, at: place).text { return text }
            default: break
            }
            throw ConfigError(.unsupportedValue, "a key must be a string, not a mapping or a sequence", location: place)
        }

        private func anchored(_ name: String, at place: TextLocation) throws(ConfigError) -> Anchored {
            if let anchored = anchors[ExactString(name)] { return anchored }
            let message = "undefined anchor &\(name.excerpt(ofScalars: 40))"
            throw ConfigError(.syntax, message, location: place)
        }

        private mutating func begin(
            _ bracket: Unicode.Scalar,
            _ node: YAMLEvents.Node,
            _ kind: String,
            at place: TextLocation
        ) throws(ConfigError) {
            guard open.count < Self.maximumDepth else {
                throw ConfigError(.unsupportedValue, "nested too deeply for a key", location: place)
            }
            if let tag = node.tag, tag != "!", tag != YAMLScalar.standardTag + kind {
                throw .unknown(tag: tag, at: place)
            }
            let start = try translation.open(bracket, at: place)
            open.append(Collection(bracket: bracket, anchor: node.anchor, start: start, isKeyNext: bracket == "{"))
        }

        private mutating func end(at place: TextLocation) throws(ConfigError) {
            guard let collection = open.popLast() else { return }
            try translation.close(collection.bracket == "{" ? "}" : "]", at: place)
            mark(collection.anchor, since: collection.start, text: nil)
            valueEnded()
        }

        private mutating func mark(_ anchor: String?, since start: Translation.Start, text: String?) {
            guard let anchor else { return }
            anchors[ExactString(anchor)] = Anchored(part: translation.part(since: start), text: text)
        }

        private mutating func valueEnded() {
            if open.last?.bracket == "{" { open[open.count - 1].isKeyNext = true }
        }
    }

    /// A scalar by the core schema of YAML 1.2 (section 10.3).
    struct YAMLScalar {
        /// The scalar as JSON; `nil` if it is a string.
        let json: String?

        static let standardTag = "tag:yaml.org,2002:"

        init(_ text: String, isPlain: Bool, tag: String?, at place: TextLocation) throws(ConfigError) {
            switch tag {
            case nil where isPlain: json = try Self.json(text, at: place)
            case nil, "!", Self.standardTag + "str": json = nil
            case .some(let tag) where ["int", "float", "bool", "null"].contains { tag == Self.standardTag + $0 }:
                json = try Self.json(text, at: place)
                if !Self.isKind(tag.dropFirst(Self.standardTag.count), json) {
                    let message = "the value does not match the tag !!\(tag.dropFirst(Self.standardTag.count))"
                    throw ConfigError(.unsupportedValue, message, location: place)
                }
            case .some(let tag): throw .unknown(tag: tag, at: place)
            }
        }

        private static func isKind(_ tag: Substring, _ json: String?) -> Bool {
            switch json {
            case nil: false
            case "null": tag == "null"
            case "true", "false": tag == "bool"
            case let number?: tag == "float" || tag == "int" && number.utf8.allSatisfy { !".eE".utf8.contains($0) }
            }
        }

        private static func json(_ text: String, at place: TextLocation) throws(ConfigError) -> String? {
            switch text {
            case "", "~", "null", "Null", "NULL": return "null"
            case "true", "True", "TRUE": return "true"
            case "false", "False", "FALSE": return "false"
            default: return try NumberText(text).json(at: place)
            }
        }
    }

    /// A text that may be a number.
    private struct NumberText {
        private let text: String
        private let sign: String
        private let digits: Substring

        init(_ text: String) {
            self.text = text
            let hasSign = text.hasPrefix("-") || text.hasPrefix("+")
            sign = text.hasPrefix("-") ? "-" : ""
            digits = hasSign ? text.dropFirst() : text[...]
        }

        /// The number in JSON; `nil` if it is not a number.
        func json(at place: TextLocation) throws(ConfigError) -> String? {
            if [".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"].contains(String(digits)) {
                let message = "a number must be finite; for a string, use quotes"
                throw ConfigError(.unsupportedValue, message, location: place)
            }
            guard let first = digits.utf8.first, first == UInt8(ascii: ".") || (0x30...0x39).contains(first) else {
                return nil
            }
            for (prefix, radix) in [("0x", 16), ("0o", 8)] where text.hasPrefix(prefix) {
                return try integer(of: text.dropFirst(2), radix: radix, at: place)
            }
            guard let (whole, fraction, exponent) = decimal else { return nil }
            if whole.utf8.count > 1, whole.utf8.first == UInt8(ascii: "0") {
                let message = "numbers that begin with 0 are ambiguous in YAML; use quotes, or 0o for an octal number"
                throw ConfigError(.unsupportedValue, message, location: place)
            }
            return sign + (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : "." + fraction) + exponent
        }

        /// The parts of a decimal number of any length, the exponent with its letter; `nil` if it is not a number.
        private var decimal: (whole: Substring, fraction: Substring, exponent: Substring)? {
            let end = digits.firstIndex { $0 == "e" || $0 == "E" } ?? digits.endIndex
            let (mantissa, exponent) = (digits[..<end], digits[end...])
            let parts = mantissa.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            let (whole, fraction) = (parts[0], parts.dropFirst().first ?? "")
            var power = exponent.dropFirst()
            if power.first == "+" || power.first == "-" { power.removeFirst() }
            guard (whole + fraction + power).utf8.allSatisfy(\.isDigit), power.isEmpty == exponent.isEmpty,
                !whole.isEmpty || !fraction.isEmpty
            else { return nil }
            return (whole, fraction, exponent)
        }

        private func integer(
            of digits: Substring,
            radix: Int,
            at place: TextLocation
        ) throws(ConfigError) -> String? {
            guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.hexDigitValue.map { $0 < radix } == true })
            else {
                return nil
            }
            // One that is too large is refused by the reader of JSON.
            return String(UInt64(digits, radix: radix) ?? .max)
        }
    }

    extension ConfigError {
        fileprivate static func unknown(tag: String, at place: TextLocation) -> ConfigError {
            let message = "unsupported tag \(tag.excerpt(ofScalars: 60)); remove it"
            return ConfigError(.unsupportedValue, message, location: place)
        }
    }
#endif
