// SPDX-License-Identifier: Apache-2.0

extension JSONScanner {
    /// Reads a whole text that is one object, with a maximum size in bytes. The transport limits the input of clients.
    package static func object(
        _ json: [UInt8],
        atMost limit: Int = ConfigDocument.maximumBytes,
        readMember: (_ name: String, _ scanner: inout JSONScanner) throws(ConfigError) -> Void
    ) throws(ConfigError) {
        guard json.count <= limit else {
            throw ConfigError(.tooLarge, "the input is larger than \(limit >> 20) MiB")
        }
        try whole(json) { (scanner) throws(ConfigError) in try scanner.object(readMember) }
    }

    /// Reads a whole text.
    package static func whole<Value>(
        _ json: [UInt8],
        _ read: (inout JSONScanner) throws(ConfigError) -> Value
    ) throws(ConfigError) -> Value {
        var scanner = try JSONScanner(json)
        let value = try read(&scanner)
        try scanner.expectEnd()
        return value
    }

    /// Checks that nothing but white space is left.
    mutating func expectEnd() throws(ConfigError) {
        skipWhitespace()
        if current != nil { throw unexpected("the end of input") }
    }

    package mutating func object(
        _ readMember: (_ name: String, _ scanner: inout JSONScanner) throws(ConfigError) -> Void
    ) throws(ConfigError) {
        var names: Set<ExactString> = []
        try members { (name, start, scanner) throws(ConfigError) in
            guard names.insert(ExactString(name)).inserted else { throw .duplicateName(name, at: start) }
            try readMember(name, &scanner)
        }
    }

    /// Reads an object, whose names may be repeated; `readValue` reads the value of each member.
    package mutating func members(
        _ readValue: (_ name: String, _ start: TextLocation, _ scanner: inout JSONScanner) throws(ConfigError) -> Void
    ) throws(ConfigError) {
        try expect("{", "to open an object")
        if skip("}") { return }
        repeat {
            skipWhitespace()
            let start = location
            let name = try name()
            skipWhitespace()
            try readValue(name, start, &self)
        } while skip(",")
        try expect("}", "or ',' after a value")
    }

    package mutating func array(
        _ readElement: (_ scanner: inout JSONScanner) throws(ConfigError) -> Void
    ) throws(ConfigError) {
        try expect("[", "to open an array")
        if skip("]") { return }
        repeat {
            skipWhitespace()
            try readElement(&self)
        } while skip(",")
        try expect("]", "or ',' in the array")
    }

    /// Reads an object of configuration values by their whole dotted keys, each of which keeps the rule of ``KeyRule``.
    package mutating func values() throws(ConfigError) -> KeyedValues<EntryValue> {
        var values = KeyedValues<EntryValue>()
        try members { (key, start, scanner) throws(ConfigError) in
            let place = values.place(of: key)
            guard place.index == nil else { throw .duplicateName(key, at: start) }
            values.append(try scanner.value(ofKey: key), forKey: key, at: place)
        }
        return values
    }

    /// Reads the value of a key, which must keep the rule of ``KeyRule``.
    package mutating func value(ofKey key: String) throws(ConfigError) -> EntryValue {
        if let problem = KeyRule.problem(in: key) { throw .invalidKey(key, problem, at: location) }
        return try value(named: key)
    }

    /// Reads a value, and names its key in an error.
    package mutating func value(named key: String) throws(ConfigError) -> EntryValue {
        do throws(ConfigError) {
            return try value()
        } catch {
            throw error.naming(key: key)
        }
    }

    package mutating func text(expecting expectation: String = "a string") throws(ConfigError) -> String {
        guard current == UInt8(ascii: "\"") else { throw unexpected(expectation) }
        return try string()
    }

    /// Reads the name of a member, and the colon after it.
    private mutating func name() throws(ConfigError) -> String {
        skipWhitespace()
        let name = try text(expecting: "a name in quotes")
        try expect(":", "after the name")
        return name
    }

    /// Reads a string as a value of a type, such as an epoch.
    package mutating func parsed<Parsed: LosslessStringConvertible>(
        as type: Parsed.Type = Parsed.self,
        _ name: String
    ) throws(ConfigError) -> Parsed {
        let start = location
        guard let parsed = Parsed(try text()) else {
            throw ConfigError(.unsupportedValue, "invalid \(name)", location: start)
        }
        return parsed
    }

    /// Checks the name of an entry of a kind.
    ///
    /// - Parameter place: its place; the current one if `nil`.
    package mutating func check(
        _ name: String,
        _ kind: EntryKind,
        at place: TextLocation? = nil
    ) throws(ConfigError) {
        guard let problem = kind.problem(inName: name) else { return }
        let place = place ?? location
        if kind == .value { throw .invalidKey(name, problem, at: place) }
        throw ConfigError(.invalidKey, "'\(name.excerpt(ofScalars: 64))' \(problem)", location: place)
    }

    /// Skips `null`, if it is next.
    package mutating func skipNull() throws(ConfigError) -> Bool {
        skipWhitespace()
        guard bytes.dropFirst(offset).starts(with: "null".utf8) else { return false }
        try skipValue()
        return true
    }

    /// Skips a value of any form and depth, such as a member that only newer programs know.
    ///
    /// - Throws: `syntax` if it is not JSON.
    package mutating func skipValue() throws(ConfigError) {
        // Whether each array or object that is open is an object; a text can open more than a stack has room for.
        var open: [Bool] = []
        repeat {
            skipWhitespace()
            switch current {
            case UInt8(ascii: "{"):
                advance()
                if skip("}") { break }
                open.append(true)
                _ = try name()
                continue
            case UInt8(ascii: "["):
                advance()
                if skip("]") { break }
                open.append(false)
                continue
            default: try skipScalar()
            }
            try skipEnds(of: &open)
        } while !open.isEmpty
    }

    /// Skips the end of a value: the closing brackets after it, or the comma before the next one.
    private mutating func skipEnds(of open: inout [Bool]) throws(ConfigError) {
        while let isObject = open.last, !skip(",") {
            try expect(isObject ? "}" : "]", isObject ? "or ',' after a value" : "or ',' in the array")
            open.removeLast()
        }
        if open.last == true { _ = try name() }
    }

    private mutating func skipScalar() throws(ConfigError) {
        switch current {
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): _ = try numberText()
        case .some(UInt8(ascii: "a")...UInt8(ascii: "z")): _ = try word()
        default: throw unexpected("a value")
        }
    }
}

extension ConfigError {
    fileprivate static func duplicateName(_ name: String, at place: TextLocation) -> ConfigError {
        ConfigError(.duplicateKey, "duplicate name; remove one", location: place, key: name.shownAsKey)
    }

    package static func invalidKey(_ key: String, _ problem: String, at place: TextLocation) -> ConfigError {
        ConfigError(.invalidKey, "the key \(problem)", location: place, key: key.shownAsKey)
    }
}

extension String {
    /// The text as an error names a key.
    package var shownAsKey: String { excerpt(ofScalars: KeyRule.maximumLength) }
}
