#if MariaDB
    internal import ConfigModel
    internal import ConfigStore

    /// A batch of publishes in a transaction of the database: what it needs is read at once, and what it makes is written at
    /// once, so that the round trips are the same for one publish as for hundreds.
    ///
    /// The transaction holds the lock of the head.
    final class MariaDBTransaction {
        private struct Place: Hashable {
            var namespace: String
            var key: String
        }

        /// What a revision did to a key, with the id of its entry.
        private struct Record {
            var place: Place
            var revision: NewRevision
            var change: NewRevision.Change
            var id: Int64
        }

        private let tables: MariaDBTables
        private let writer: UInt64
        /// The id of the next new entry that has no row in the table `config`.
        private(set) var nextID: Int64
        private var revisions: [String: UInt64] = [:]
        /// The entries that were read, and those that were made; `nil` for keys that have none.
        private var entries: [Place: StoredEntry?] = [:]
        /// What is still to be written.
        private var unwritten: [NewRevision] = []
        private var records: [Record] = []
        private var touched: Set<Place> = []
        /// The ids of rows of the table `config`, by those that their entries had before these were written.
        private var given: [Int64: Int64] = [:]
        private var newRows: Int64 = 0

        private var connection: MariaDBConnection { tables.connection }

        init(_ tables: MariaDBTables, writer: UInt64, nextID: Int64) {
            (self.tables, self.writer, self.nextID) = (tables, writer, nextID)
        }

        /// Reads what publishes ask for by name.
        func read(for publishes: [Publish]) throws {
            var keys: [String: Set<String>] = [:]
            for publish in publishes { keys[publish.namespace, default: []].formUnion(publish.keys) }
            let namespaces = Array(keys.keys)
            for part in namespaces.parts { revisions.merge(try tables.revisions(of: part)) { $1 } }
            for namespace in namespaces where revisions[namespace] == nil { revisions[namespace] = 0 }
            for (namespace, keys) in keys { try read(Array(keys), in: namespace) }
        }

        private func read(_ keys: [String], in namespace: String) throws {
            for part in keys.parts {
                let found = try tables.entries(part, in: namespace)
                for key in part { entries[Place(namespace: namespace, key: key)] = .some(found[key]) }
            }
        }
    }

    extension MariaDBTransaction: StoreTransaction {
        func floor() throws -> UInt64 { try tables.floor() }

        func revision(of namespace: String) throws -> UInt64 {
            try revisions[namespace] ?? tables.revision(of: namespace)
        }

        func entry(_ key: String, in namespace: String) throws -> StoredEntry? {
            let place = Place(namespace: namespace, key: key)
            if let entry = entries[place] { return entry }
            try read([key], in: namespace)
            return entries[place] ?? nil
        }

        func values(in namespace: String, at revision: UInt64) throws -> [String: EntryValue?] {
            try flush()
            let values = try tables.values(in: namespace, at: revision)
            try read(values.keys.filter { entries[Place(namespace: namespace, key: $0)] == nil }, in: namespace)
            return values
        }

        func write(_ revision: NewRevision) throws -> [String: StoredEntry?] {
            let changes = revision.changes.map { change in
                (place: Place(namespace: revision.namespace, key: change.key), change: change)
            }
            // A row is inserted or removed once in what is written together.
            let turns = changes.filter { $0.change.old == nil || $0.change.value == nil }
            if turns.contains(where: { touched.contains($0.place) }) { try flush() }
            var made: [String: StoredEntry?] = [:]
            for (place, change) in changes {
                let id = entries[place]??.id ?? newID(for: place)
                records.append(Record(place: place, revision: revision, change: change, id: id))
                touched.insert(place)
                let entry = revision.entry(change, id: id)
                entries[place] = .some(entry)
                made[change.key] = .some(entry)
            }
            unwritten.append(revision)
            revisions[revision.namespace] = revision.revision
            return made
        }

        /// Entries of the namespace `default` have the ids of their rows, which are known when these are written.
        private func newID(for place: Place) -> Int64 {
            if place.namespace == NamespaceRule.standard {
                newRows += 1
                return -newRows
            }
            defer { nextID += 1 }
            return nextID
        }

        /// An outcome with the ids that its entries have in the database.
        func numbered(_ outcome: PublishOutcome) -> PublishOutcome {
            guard !given.isEmpty, case .committed(var commit) = outcome else { return outcome }
            for (key, entry) in commit.changes {
                guard let entry, let id = given[entry.id] else { continue }
                commit.changes[key]??.id = id
            }
            return .committed(commit)
        }
    }

    extension MariaDBTransaction {
        /// Writes what has been made so far.
        func flush() throws {
            guard !unwritten.isEmpty else { return }
            try connection.run(each: unwritten) { revision in
                """
                INSERT INTO livery_revisions (revision, namespace, previous, updated_at, writer, author, message)
                VALUES (\(revision.revision), \(revision.namespace), \(revision.previous), \(revision.updatedAt),
                    \(writer), \(revision.author), \(revision.message))
                """
            }
            let places = touched.sorted { ($0.namespace, $0.key) < ($1.namespace, $1.key) }
            try writeRows(places.filter { $0.namespace == NamespaceRule.standard })
            try writeHistory()
            try writeEntries(places)
            try connection.run(each: Set(unwritten.map(\.namespace)).sorted()) { namespace in
                """
                INSERT INTO livery_namespaces (name, revision) VALUES (\(namespace), \(revisions[namespace] ?? 0))
                ON DUPLICATE KEY UPDATE revision = VALUES(revision)
                """
            }
            (unwritten, records, touched) = ([], [], [])
        }

        /// Writes the rows that the entries of the namespace `default` have in the table `config`.
        private func writeRows(_ places: [Place]) throws {
            try connection.run(each: places.filter { entry(at: $0) == nil }) { place in
                "DELETE FROM config WHERE `key` = \(place.key)"
            }
            let written = places.compactMap { place in entry(at: place).map { (place: place, entry: $0) } }
            // A row without a value is not an entry, but has the key.
            try connection.run(each: written) { (place, entry) in
                """
                INSERT INTO config (`key`, value, created_at, updated_at)
                VALUES (\(place.key), \(StoredText(entry.value).text), CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)
                ON DUPLICATE KEY UPDATE value = VALUES(value), updated_at = CURRENT_TIMESTAMP
                """
            }
            for part in written.parts {
                let sql: SQL = "SELECT `key`, id FROM config WHERE `key` IN (\(anyOf: part.map(\.place.key)))"
                let ids: [String: Int64] = try connection.rows(sql).reduce(into: [:]) { $0[try $1[0]] = try $1[1] }
                for (place, entry) in part {
                    guard let id = ids[place.key], id != entry.id else { continue }
                    given[entry.id] = id
                    entries[place]??.id = id
                }
            }
        }

        private func writeHistory() throws {
            try connection.run(each: records) { record in
                let (change, revision) = (record.change, record.revision)
                let text = change.value.map { StoredText($0) }
                return """
                    INSERT INTO livery_history (namespace, `key`, revision, entry_id, created_at, is_json, value)
                    VALUES (\(revision.namespace), \(change.key), \(revision.revision), \(given[record.id] ?? record.id),
                        \(change.old?.createdAt ?? revision.updatedAt), \(text?.isJSON ?? false), \(text?.text))
                    """
            }
        }

        private func writeEntries(_ places: [Place]) throws {
            try connection.run(each: places.filter { entry(at: $0) == nil }) { place in
                "DELETE FROM livery_entries WHERE namespace = \(place.namespace) AND `key` = \(place.key)"
            }
            let written = places.compactMap { place in entry(at: place).map { (place: place, entry: $0) } }
            try connection.run(each: written) { (place, entry) in
                """
                INSERT INTO livery_entries (namespace, `key`, id, revision, created_at, updated_at)
                VALUES (\(place.namespace), \(place.key), \(entry.id), \(entry.revision), \(entry.createdAt),
                    \(entry.updatedAt))
                ON DUPLICATE KEY UPDATE id = VALUES(id), revision = VALUES(revision),
                    created_at = VALUES(created_at), updated_at = VALUES(updated_at)
                """
            }
        }

        private func entry(at place: Place) -> StoredEntry? { entries[place] ?? nil }
    }

    extension Publish {
        /// The keys that it names.
        fileprivate var keys: Set<String> {
            var keys: Set<String> = []
            if case .edit(let edits) = change { keys.formUnion(edits.keys) }
            for condition in conditions {
                switch condition {
                case .head: break
                case .absent(let key), .present(let key), .entry(let key, _): keys.insert(key)
                }
            }
            return keys
        }
    }

    extension Array {
        /// The elements in parts that fit a query.
        fileprivate var parts: [ArraySlice<Element>] {
            stride(from: 0, to: count, by: 256).map { self[$0..<Swift.min($0 + 256, count)] }
        }
    }
#endif
