// SPDX-License-Identifier: Apache-2.0

#if TOML
    internal import ConfigModel

    /// A value of TOML with its place.
    indirect enum TOMLNode {
        /// A text, number, Boolean, date or time, as it is in JSON.
        case scalar(String, at: TextLocation)
        /// An array in brackets, which nothing may be added to.
        case array([TOMLNode], at: TextLocation)
        /// A table.
        case table(TOMLTable)
        /// The tables of one name in double brackets.
        case tables(TOMLTables)
    }

    /// The tables of one name in double brackets, to which each header of that name adds one.
    final class TOMLTables {
        private(set) var all: [TOMLTable]
        private(set) var last: TOMLTable

        init(_ first: TOMLTable) { (all, last) = ([first], first) }

        func append(_ table: TOMLTable) {
            all.append(table)
            last = table
        }
    }

    /// A table of TOML while it is read: later lines may add to it.
    final class TOMLTable {
        /// How a table came to be, which decides what may be added to it.
        enum Origin: Equatable {
            /// By a header of its own.
            case defined
            /// By the header of a table in it.
            case implied
            /// By dotted keys below the header of this number.
            case dotted(Int)
            /// In one line: it is whole.
            case inline
        }

        struct Member {
            let name: String
            let place: TextLocation
            var node: TOMLNode
        }

        let place: TextLocation
        var origin: Origin
        private(set) var members: [Member] = []
        private var indices: [ExactString: Int] = [:]
        /// Its name in the table that it is in; empty for the root.
        private let name: String
        // Outlives it: a table goes away with the root only.
        private unowned let parent: TOMLTable?
        private let depth: Int

        /// Deeper than any key can lead, and than any value may be.
        static let maximumDepth = KeyRule.maximumLength

        /// Creates the table that a document is.
        init() {
            (name, parent, depth, origin) = ("", nil, 0, .defined)
            place = TextLocation(line: 1, column: 1)
        }

        /// - Throws: `unsupportedValue` beyond ``maximumDepth``.
        init(_ name: String, in parent: TOMLTable, _ origin: Origin, at place: TextLocation) throws(ConfigError) {
            guard parent.depth < Self.maximumDepth else { throw .tooDeep(at: place) }
            (self.name, self.parent, self.origin, self.place) = (name, parent, origin, place)
            depth = parent.depth + 1
        }

        subscript(name: String) -> TOMLNode? { indices[ExactString(name)].map { members[$0].node } }

        /// Adds a member that is not there.
        func add(_ name: String, _ node: TOMLNode, at place: TextLocation) {
            indices[ExactString(name)] = members.count
            members.append(Member(name: name, place: place, node: node))
        }

        /// The dotted key of a member.
        func key(of name: String) -> String {
            var (names, table): ([String], TOMLTable?) = ([name], self)
            while let next = table, next.parent != nil {
                names.append(next.name)
                table = next.parent
            }
            return names.reversed().joined(separator: ".").shownAsKey
        }

        /// What is wrong if a member is defined once more.
        func twice(_ name: String, at place: TextLocation) -> ConfigError {
            let message = "the key or table is defined twice; remove one"
            return ConfigError(.duplicateKey, message, location: place, key: key(of: name))
        }
    }

    extension ConfigError {
        static func tooDeep(at place: TextLocation) -> ConfigError {
            ConfigError(.unsupportedValue, "this is nested too deep for any key or value", location: place)
        }
    }

    extension Translation {
        // The depth of the recursion is that of the tree, which the reader bounds.
        mutating func write(_ node: TOMLNode) throws(ConfigError) {
            switch node {
            case .scalar(let json, let place): _ = try scalar(json, at: place)
            case .table(let table): try write(table)
            case .tables(let tables): try write(tables.all.map(TOMLNode.table), at: tables.all[0].place)
            case .array(let elements, let place): try write(elements, at: place)
            }
        }

        private mutating func write(_ elements: [TOMLNode], at place: TextLocation) throws(ConfigError) {
            _ = try open("[", at: place)
            for element in elements { try write(element) }
            try close("]", at: place)
        }

        mutating func write(_ table: TOMLTable) throws(ConfigError) {
            _ = try open("{", at: table.place)
            for member in table.members {
                try key(member.name, at: member.place)
                try write(member.node)
            }
            try close("}", at: table.place)
        }
    }
#endif
