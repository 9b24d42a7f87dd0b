// SPDX-License-Identifier: Apache-2.0

#if TOML
    internal import ConfigModel

    /// Rewrites TOML 1.0 as JSON, and refuses a table or key that is defined twice.
    ///
    /// Dates and times are texts as RFC 3339 writes them. A table is a branch of the keys; those in arrays are objects.
    struct TOMLReader {
        private var scanner: TOMLScanner
        private let root = TOMLTable()
        /// The table whose members are read, and how many headers there were.
        private var table: TOMLTable
        private var headerCount = 0
        /// How many arrays and tables in one line are open.
        private var depth = 0

        static func translation(of text: [UInt8]) throws(ConfigError) -> Translation {
            var reader = TOMLReader(TOMLScanner(json: try JSONScanner(text)))
            try reader.read()
            var translation = Translation()
            try translation.write(reader.root)
            return translation
        }

        private init(_ scanner: TOMLScanner) {
            self.scanner = scanner
            table = root
        }

        private mutating func read() throws(ConfigError) {
            while try scanner.skipToStatement() {
                if scanner.json.current == UInt8(ascii: "[") { try readHeader() } else { try readMember(of: table) }
                try scanner.endLine()
            }
        }

        private mutating func readHeader() throws(ConfigError) {
            let place = scanner.json.location
            scanner.json.advance()
            let isElement = scanner.json.current == UInt8(ascii: "[")
            if isElement { scanner.json.advance() }
            let names = try scanner.key()
            try scanner.expect("]", "after the name of a table")
            if isElement { try scanner.expect("]", "after the name of a table in an array") }
            var parent = root
            for name in names.dropLast() {
                switch parent[name] {
                case nil: parent = try newTable(name, in: parent, .implied, at: place)
                case .table(let table) where table.origin != .inline: parent = table
                case .tables(let tables): parent = tables.last
                default: throw parent.twice(name, at: place)
                }
            }
            guard let name = names.last else { return }
            headerCount += 1
            table =
                isElement
                ? try newElement(name, in: parent, at: place) : try definedTable(name, in: parent, at: place)
        }

        private func newTable(
            _ name: String,
            in parent: TOMLTable,
            _ origin: TOMLTable.Origin,
            at place: TextLocation
        ) throws(ConfigError) -> TOMLTable {
            let table = try TOMLTable(name, in: parent, origin, at: place)
            parent.add(name, .table(table), at: place)
            return table
        }

        /// The table of a header.
        private func definedTable(
            _ name: String,
            in parent: TOMLTable,
            at place: TextLocation
        ) throws(ConfigError) -> TOMLTable {
            switch parent[name] {
            case nil: return try newTable(name, in: parent, .defined, at: place)
            case .table(let table) where table.origin == .implied:
                table.origin = .defined
                return table
            default: throw parent.twice(name, at: place)
            }
        }

        /// The table of a header in double brackets.
        private func newElement(
            _ name: String,
            in parent: TOMLTable,
            at place: TextLocation
        ) throws(ConfigError) -> TOMLTable {
            let table = try TOMLTable(name, in: parent, .defined, at: place)
            switch parent[name] {
            case nil: parent.add(name, .tables(TOMLTables(table)), at: place)
            case .tables(let tables): tables.append(table)
            default: throw parent.twice(name, at: place)
            }
            return table
        }

        private mutating func readMember(of table: TOMLTable) throws(ConfigError) {
            scanner.skipSpaces()
            let place = scanner.json.location
            let names = try scanner.key()
            try scanner.expect("=", "after a key")
            scanner.skipSpaces()
            var parent = table
            for name in names.dropLast() {
                switch parent[name] {
                case nil: parent = try newTable(name, in: parent, .dotted(headerCount), at: place)
                case .table(let table) where table.origin == .dotted(headerCount): parent = table
                default: throw parent.twice(name, at: place)
                }
            }
            guard let name = names.last else { return }
            guard parent[name] == nil else { throw parent.twice(name, at: place) }
            do throws(ConfigError) {
                parent.add(name, try readValue(of: name, in: parent), at: place)
            } catch {
                throw error.key == nil ? error.naming(key: parent.key(of: name)) : error
            }
        }

        private mutating func readValue(of name: String, in parent: TOMLTable) throws(ConfigError) -> TOMLNode {
            let place = scanner.json.location
            switch scanner.json.current {
            case UInt8(ascii: "["): return .array(try readElements(of: name, in: parent), at: place)
            case UInt8(ascii: "{"): return .table(try readInlineTable(name, in: parent, at: place))
            default: return .scalar(try scanner.scalar(), at: place)
            }
        }

        private mutating func readElements(
            of name: String,
            in parent: TOMLTable
        ) throws(ConfigError) -> [TOMLNode] {
            try enter()
            var elements: [TOMLNode] = []
            while try scanner.skipToStatement(), scanner.json.current != UInt8(ascii: "]") {
                elements.append(try readValue(of: name, in: parent))
                guard try scanner.skipToStatement(), scanner.json.current == UInt8(ascii: ",") else { break }
                scanner.json.advance()
            }
            try scanner.expect("]", "or ',' in the array")
            depth -= 1
            return elements
        }

        /// Reads a table in one line, which nothing may be added to later.
        private mutating func readInlineTable(
            _ name: String,
            in parent: TOMLTable,
            at place: TextLocation
        ) throws(ConfigError) -> TOMLTable {
            try enter()
            let table = try TOMLTable(name, in: parent, .inline, at: place)
            scanner.skipSpaces()
            if scanner.json.current != UInt8(ascii: "}") {
                while true {
                    try readMember(of: table)
                    scanner.skipSpaces()
                    guard scanner.json.current == UInt8(ascii: ",") else { break }
                    scanner.json.advance()
                }
            }
            try scanner.expect("}", "or ',' after a value")
            depth -= 1
            return table
        }

        /// Passes the bracket that opens an array or a table in one line.
        private mutating func enter() throws(ConfigError) {
            guard depth < TOMLTable.maximumDepth else { throw .tooDeep(at: scanner.json.location) }
            depth += 1
            scanner.json.advance()
        }
    }
#endif
