#if TOML
    internal import ConfigModel

    /// Rewrites TOML 1.0 as JSON whose keys are whole dotted keys, and refuses a table or key that is defined twice.
    ///
    /// Dates and times are texts as RFC 3339 writes them. Nothing is read recursively but tables in one line, whose depth is
    /// bounded by the length of a key.
    struct TOMLReader {
        private var scanner: TOMLScanner
        private var translation = Translation()
        private var tables: [String: Table] = [:]
        private var values: Set<String> = []
        /// The key of the table whose members are read, and the number of its header.
        private var table = (key: "", number: 0)

        /// How a table came to be.
        private enum Table: Equatable {
            /// By a header of its own, or in one line: it is whole.
            case defined
            /// By the header of a table in it.
            case implied
            /// By dotted keys below the header of this number.
            case dotted(Int)
        }

        static func translation(of text: [UInt8]) throws(ConfigError) -> Translation {
            var reader = TOMLReader(scanner: TOMLScanner(json: try JSONScanner(text)))
            let beginning = TextLocation(line: 1, column: 1)
            _ = try reader.translation.open("{", at: beginning)
            try reader.read()
            try reader.translation.close("}", at: beginning)
            return reader.translation
        }

        private init(scanner: TOMLScanner) { self.scanner = scanner }

        private mutating func read() throws(ConfigError) {
            while try scanner.skipToStatement() {
                if scanner.json.current == UInt8(ascii: "[") {
                    try readHeader()
                } else {
                    try readMember(below: table.key)
                }
                try scanner.endLine()
            }
        }

        private mutating func readHeader() throws(ConfigError) {
            let place = scanner.json.location
            scanner.json.advance()
            if scanner.json.current == UInt8(ascii: "[") {
                let message = "an array may not hold a table; give each a name of its own, such as [servers.first]"
                throw ConfigError(.unsupportedValue, message, location: place)
            }
            let names = try scanner.key()
            try scanner.expect("]", "after the name of a table")
            let keys = try Self.keys(names, below: "", at: place)
            for key in keys.dropLast() {
                if values.contains(key) { throw .twice(key, at: place) }
                if tables[key] == nil { tables[key] = .implied }
            }
            guard let key = keys.last else { return }
            guard !values.contains(key), tables[key] == nil || tables[key] == .implied else {
                throw .twice(key, at: place)
            }
            tables[key] = .defined
            table = (key, table.number + 1)
        }

        private mutating func readMember(below parent: String) throws(ConfigError) {
            scanner.skipSpaces()
            let place = scanner.json.location
            let keys = try Self.keys(try scanner.key(), below: parent, at: place)
            try scanner.expect("=", "after a key")
            scanner.skipSpaces()
            for key in keys.dropLast() {
                guard !values.contains(key), tables[key] == nil || tables[key] == .dotted(table.number) else {
                    throw .twice(key, at: place)
                }
                tables[key] = .dotted(table.number)
            }
            guard let key = keys.last else { return }
            guard tables[key] == nil, values.insert(key).inserted else { throw .twice(key, at: place) }
            if scanner.json.current == UInt8(ascii: "{") { return try readInlineTable(key) }
            try translation.key(key, at: place)
            do throws(ConfigError) {
                try scanner.writeValue(to: &translation)
            } catch {
                throw error.naming(key: key)
            }
        }

        /// Reads a table in one line, which nothing may be added to later.
        private mutating func readInlineTable(_ key: String) throws(ConfigError) {
            scanner.json.advance()
            scanner.skipSpaces()
            if scanner.json.current == UInt8(ascii: "}") { return scanner.json.advance() }
            while true {
                try readMember(below: key)
                scanner.skipSpaces()
                guard scanner.json.current == UInt8(ascii: ",") else { break }
                scanner.json.advance()
            }
            try scanner.expect("}", "or ',' after a value")
        }

        /// The whole keys that lead to a name: of `b.c` below `a`, these are `a.b` and `a.b.c`.
        private static func keys(
            _ names: [String],
            below parent: String,
            at place: TextLocation
        ) throws(ConfigError) -> [String] {
            var (keys, key): ([String], String) = ([], parent)
            for name in names {
                key += (key.isEmpty ? "" : ".") + name
                if let problem = KeyRule.problem(in: name.isEmpty ? name : key) {
                    let shown = key.excerpt(ofScalars: KeyRule.maximumLength)
                    throw ConfigError(.invalidKey, "the key \(problem)", location: place, key: shown)
                }
                keys.append(key)
            }
            return keys
        }
    }

    extension ConfigError {
        fileprivate static func twice(_ key: String, at place: TextLocation) -> ConfigError {
            ConfigError(.duplicateKey, "the key or table is defined twice; remove one", location: place, key: key)
        }
    }
#endif
