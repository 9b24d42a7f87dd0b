internal import ConfigModel

extension CachedState {
    /// The state as the payload of a cache file's first record.
    ///
    /// - Parameter identity: the source's ``ConfigSource/identity``.
    func encoded(identity: String) -> [UInt8] {
        var writer = CacheWriter()
        writer.text(identity)
        writer.number(origin.rawValue)
        writer.text(programVersion)
        mark.write(to: &writer)
        writer.number(UInt32(entries.count))
        for (key, entry) in entries { entry.write(key: key, to: &writer) }
        return writer.bytes
    }

    /// Reads what ``encoded(identity:)`` writes.
    ///
    /// - Returns: the state, and the identity of the source that it belongs to.
    static func decoded(
        _ payload: ArraySlice<UInt8>,
        source: String
    ) throws(CacheDamage) -> (state: CachedState, identity: String) {
        var reader = CacheReader(payload)
        let identity = try reader.text()
        guard let origin = Origin(rawValue: try reader.number()) else { throw CacheDamage() }
        let version = try reader.text()
        var state = CachedState(
            origin: origin,
            programVersion: version,
            entries: [:],
            mark: try CacheMark(from: &reader)
        )
        for _ in 0..<(try reader.number(UInt32.self)) {
            let (key, entry) = try EntrySnapshot.Entry.read(from: &reader, source: source)
            state.entries[key] = entry
        }
        guard reader.isAtEnd else { throw CacheDamage() }
        return (state, identity)
    }
}

extension CacheChange {
    /// The change as the payload of a cache file's later record.
    func encoded() -> [UInt8] {
        var writer = CacheWriter()
        mark.write(to: &writer)
        writer.list(deletes) { $0.text($1) }
        writer.list(upserts) { writer, element in element.value.write(key: element.key, to: &writer) }
        return writer.bytes
    }

    /// Reads what ``encoded()`` writes.
    init(_ payload: ArraySlice<UInt8>, source: String) throws(CacheDamage) {
        var reader = CacheReader(payload)
        mark = try CacheMark(from: &reader)
        deletes = try reader.list { (reader) throws(CacheDamage) in try reader.text() }
        upserts = [:]
        for _ in 0..<(try reader.number(UInt32.self)) {
            let (key, entry) = try EntrySnapshot.Entry.read(from: &reader, source: source)
            upserts[key] = entry
        }
        guard reader.isAtEnd else { throw CacheDamage() }
    }
}

extension CacheMark {
    fileprivate func write(to writer: inout CacheWriter) {
        writer.optional(cursor) {
            $0.number($1.epoch.rawValue)
            $0.number($1.revision)
        }
        writer.optional(digest) { $0.text($1.description) }
        writer.optional(validators) {
            $0.optional($1.entityTag) { $0.text($1) }
            $0.optional($1.lastModified) { $0.text($1) }
        }
        writer.optional(modifiedAt) { $0.number($1.milliseconds) }
    }

    fileprivate init(from reader: inout CacheReader) throws(CacheDamage) {
        cursor = try reader.optional { (reader) throws(CacheDamage) in
            Cursor(epoch: Epoch(rawValue: try reader.number()), revision: try reader.number())
        }
        digest = try reader.optional { (reader) throws(CacheDamage) in
            guard let digest = ConfigDigest(try reader.text()) else { throw CacheDamage() }
            return digest
        }
        validators = try reader.optional { (reader) throws(CacheDamage) in
            SourceValidators(
                entityTag: try reader.optional { (reader) throws(CacheDamage) in try reader.text() },
                lastModified: try reader.optional { (reader) throws(CacheDamage) in try reader.text() }
            )
        }
        modifiedAt = try reader.optional { (reader) throws(CacheDamage) in
            Timestamp(milliseconds: try reader.number())
        }
    }
}

extension EntrySnapshot.Entry {
    // Where a value stood in a text is not kept: the text may be another by now.
    fileprivate func write(key: String, to writer: inout CacheWriter) {
        writer.text(key)
        writer.value(value)
        writer.number(changedAt.milliseconds)
    }

    fileprivate static func read(
        from reader: inout CacheReader,
        source: String
    ) throws(CacheDamage) -> (key: String, entry: EntrySnapshot.Entry) {
        let key = try reader.text()
        let value = try reader.value()
        let changedAt = Timestamp(milliseconds: try reader.number())
        return (key, EntrySnapshot.Entry(value: value, source: source, changedAt: changedAt))
    }
}
