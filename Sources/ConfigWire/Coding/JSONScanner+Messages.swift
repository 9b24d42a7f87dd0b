// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

extension JSONScanner {
    /// Reads the reason of a write.
    mutating func message() throws(ConfigError) -> String {
        let start = location
        let message = try text()
        let limit = WireSchema.maximumMessageLength
        guard message.unicodeScalars.count <= limit else {
            throw ConfigError(.typeMismatch, "the message is longer than \(limit) characters", location: start)
        }
        return message
    }

    /// Reads the content of an entry of a kind. Schemas and rules are compiled elsewhere.
    mutating func value(of kind: EntryKind, named name: String? = nil) throws(ConfigError) -> EntryValue {
        let start = location
        let value = try reading(kind) { (scanner) throws(ConfigError) in
            if let name { try scanner.value(named: name) } else { try scanner.value() }
        }
        switch (kind, value) {
        case (.value, _), (.schema, .object), (.schema, .boolean), (.rule, .object): return value
        case (.schema, _):
            throw ConfigError(.typeMismatch, "a schema must be an object, true or false", location: start, key: name)
        case (.rule, _): throw ConfigError(.typeMismatch, "a rule must be an object", location: start, key: name)
        }
    }

    /// Reads an object of schemas or rules by name; `null` removes one.
    mutating func edits(of kind: EntryKind) throws(ConfigError) -> [String: EntryValue?] {
        var edits: [String: EntryValue?] = [:]
        try object { (name, scanner) throws(ConfigError) in
            try scanner.check(name, kind)
            edits[name] = .some(try scanner.skipNull() ? nil : try scanner.value(of: kind, named: name))
        }
        return edits
    }

    /// Reads an object of schemas by name.
    mutating func schemas() throws(ConfigError) -> [String: EntryValue] {
        var schemas: [String: EntryValue] = [:]
        try object { (name, scanner) throws(ConfigError) in
            try scanner.check(name, .schema)
            schemas[name] = try scanner.value(named: name)
        }
        return schemas
    }

    /// Reads an array of the names of entries of a kind.
    mutating func names(of kind: EntryKind) throws(ConfigError) -> [String] {
        var names: [String] = []
        try array { (scanner) throws(ConfigError) in
            let start = scanner.location
            let name = try scanner.text()
            try scanner.check(name, kind, at: start)
            names.append(name)
        }
        return names
    }

    /// Reads a revision: a whole number from 0 to 2^53 − 1.
    mutating func revision() throws(ConfigError) -> UInt64 {
        let start = location
        guard case .integer(let number) = try value(), let revision = UInt64(exactly: number) else {
            throw ConfigError(.unsupportedValue, "a revision must be a non-negative integer", location: start)
        }
        return revision
    }

    /// Whether a whole text is `null`.
    static func isNull(_ json: [UInt8]) throws(ConfigError) -> Bool {
        var scanner = try JSONScanner(json)
        guard try scanner.skipNull() else { return false }
        scanner.skipWhitespace()
        return scanner.current == nil
    }
}

extension EntryKind {
    /// Checks the name of an entry that an answer contains.
    func checked(_ name: String) throws(ConfigError) -> String {
        guard let problem = problem(inName: name) else { return name }
        throw ConfigError(.invalidKey, "the key \(problem)", key: name.shownAsKey)
    }

    /// Values and rules of a state or a change, apart.
    static func divided(
        _ entries: some Sequence<(key: String, value: EntryValue)>
    ) -> (values: [(key: String, value: EntryValue)], rules: [String: EntryValue]) {
        var (values, rules) = ([(key: String, value: EntryValue)](), [String: EntryValue]())
        for (key, value) in entries {
            if let name = EntryKind.rule.name(of: key) { rules[name] = value } else { values.append((key, value)) }
        }
        return (values, rules)
    }
}

extension JSONWriter {
    /// Writes the new schemas or rules, and `null` for those removed.
    mutating func edits(_ edits: [String: EntryValue?]) {
        object { object in
            for (name, value) in edits.sorted(by: { $0.key < $1.key }) {
                object.member(name) { $0.optional(value) { $0.value($1) } }
            }
        }
    }
}

extension RevisionCursor {
    /// Where nothing has been read yet.
    static let zero = RevisionCursor(epoch: Epoch(rawValue: 0), revision: 0)
}
