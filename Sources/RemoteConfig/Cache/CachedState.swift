// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The cached state of a source: the values and their relation to the source.
struct CachedState: Hashable {
    /// The program, source and context of the values.
    var key = ""
    /// The version of the program that wrote this.
    var programVersion = ""
    var mark = CacheMark()
    var entries = ConfigEntries()
}

/// The relation of cached values to their source.
struct CacheMark: Hashable {
    /// The position in a server's history.
    var cursor: RevisionCursor?
    /// Their digest, where they came from a server.
    var digest: ConfigDigest?
    var validators: SourceValidators?
    /// The time of the last modification, as reported by the source.
    var modifiedAt: Timestamp?
}

/// A state to cache, and its relation to the cached one.
struct CacheStep {
    var entries: ConfigEntries
    /// The differences from the state at `base`; `nil` if they are unknown.
    var changedKeys: [String]?
    /// The mark of the last state that was written.
    var base: CacheMark
    var mark: CacheMark
    /// Whether the state at `base` is no longer part of the source's history.
    var isReset = false

    /// Both steps in one.
    func following(_ earlier: CacheStep) -> CacheStep {
        var step = self
        (step.base, step.isReset) = (earlier.base, isReset || earlier.isReset)
        step.changedKeys = changedKeys.flatMap { keys in earlier.changedKeys.map { Array(Set($0 + keys)).sorted() } }
        return step
    }
}

// The records of a cache file, which are JSON.
extension CachedState {
    /// The record of this state.
    ///
    /// - Parameter changedKeys: The differences from the state of the record before; `nil` for the whole state.
    func record(ofChanged changedKeys: [String]?) -> [UInt8] {
        JSONWriter.object { json in
            json.members(of: mark)
            json.member("entries") { json in
                json.object { json in
                    if let changedKeys {
                        for key in changedKeys { json.member(key, entries[key]) }
                    } else {
                        for (key, entry) in entries { json.member(key, entry) }
                    }
                }
            }
            if changedKeys != nil { return }
            json.member("key") { $0.string(key) }
            json.member("version") { $0.string(programVersion) }
        }
    }

    /// Changes this state, which is that of the record before, to that of a record.
    ///
    /// - Parameter source: The name of the source that the entries are of.
    mutating func apply(_ record: ArraySlice<UInt8>, source: String) throws(ConfigError) {
        var (mark, upserts, deletes) = (CacheMark(), KeyedValues<ConfigEntry>(), [String]())
        try JSONScanner.object(Array(record), atMost: .max) { (name, json) throws(ConfigError) in
            switch name {
            case "cursor": mark.cursor = try json.parsed(name)
            case "digest": mark.digest = try json.parsed(name)
            case "etag": mark.validators = SourceValidators(entityTag: try json.skipNull() ? nil : try json.text())
            case "last_modified": mark.validators?.lastModified = try json.text()
            case "modified_at": mark.modifiedAt = try json.time()
            case "key": key = try json.text()
            case "version": programVersion = try json.text()
            default:
                json.limits = .ownValues
                try json.members { (key, _, json) throws(ConfigError) in
                    if let entry = try json.entry(of: source) {
                        upserts.update(entry, forKey: key)
                    } else {
                        deletes.append(key)
                    }
                }
            }
        }
        self.mark = mark
        // Many at once, in the whole state.
        if entries.isEmpty { return entries = ConfigEntries(upserts) }
        for key in deletes { entries[key] = nil }
        for (key, entry) in upserts { entries[key] = entry }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of mark: CacheMark) {
        if let cursor = mark.cursor { member("cursor") { $0.string(cursor.description) } }
        if let digest = mark.digest { member("digest") { $0.string(digest.description) } }
        if let validators = mark.validators {
            member("etag") { $0.optional(validators.entityTag) { $0.string($1) } }
            if let date = validators.lastModified { member("last_modified") { $0.string(date) } }
        }
        if let time = mark.modifiedAt { member("modified_at") { $0.number(time.milliseconds) } }
    }

    /// Writes an entry, or its removal. The position of its value in a text is not written, since the text may
    /// have changed.
    fileprivate mutating func member(_ key: String, _ entry: ConfigEntry?) {
        member(key) { json in
            json.optional(entry) { json, entry in
                json.array { json in
                    json.value(entry.value)
                    json.number(entry.changedAt.milliseconds)
                }
            }
        }
    }
}

extension JSONScanner {
    fileprivate mutating func time() throws(ConfigError) -> Timestamp {
        guard case .integer(let milliseconds) = try value() else { throw unexpected("a time") }
        return Timestamp(milliseconds: Int64(milliseconds))
    }

    fileprivate mutating func entry(of source: String) throws(ConfigError) -> ConfigEntry? {
        guard skip("[") else {
            try skipValue()
            return nil
        }
        let value = try value()
        try expect(",", "after the value")
        let entry = ConfigEntry(value: value, source: source, changedAt: try time())
        try expect("]", "after the time")
        return entry
    }
}
