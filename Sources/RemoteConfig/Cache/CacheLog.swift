// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The cached state of a source: the values and their relation to the source.
struct CachedState: Hashable {
    /// The program, source and context of the values.
    var key: String
    /// The version of the program that wrote this.
    var programVersion: String
    var mark: CacheMark
    var entries: ConfigEntries

    mutating func apply(_ change: CacheChange) {
        for key in change.deletes { _ = entries.remove(key) }
        for (key, entry) in change.upserts { entries[key] = entry }
        mark = change.mark
    }
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
}

/// The difference from one cached state to the next.
struct CacheChange {
    var upserts: ConfigEntries = [:]
    var deletes: [String] = []
    var mark: CacheMark

    /// The difference to the given state from one that differs in these keys.
    init(to entries: ConfigEntries, changedKeys: [String], mark: CacheMark) {
        self.mark = mark
        for key in changedKeys {
            if let entry = entries[key] { upserts[key] = entry } else { deletes.append(key) }
        }
    }
}

/// The form of a cache file: a header, a record with the whole state, then records with later changes.
///
/// A record is a length, a check of the length, a SHA-256 and a payload. Each hash covers the one before it, so that
/// records count only in the order and the file in which they were written. The file counts up to the last record that
/// is whole and fits: a program that died left half a record behind it, and a loss of power may leave zeros.
///
/// A process recognizes the file by its beginning, through the hash of the first record, and by the last hash, each at its
/// place: another program may have replaced the file just before a record was appended to it. The file's number and length
/// do not suffice, as numbers are used again.
struct CacheLog {
    private(set) var state: CachedState
    /// The hash of the last whole record.
    private(set) var chain: [UInt8]
    /// The bytes up to the end of the last whole record.
    private(set) var length: Int
    /// The bytes of the header and of the record with the whole state.
    private(set) var baseLength: Int
    /// The offset of the hash of the last complete record.
    private(set) var chainOffset: Int
    /// The first bytes of the file, through the hash of the record with the whole state.
    private(set) var beginning: [UInt8]
    /// Whether what follows the last whole record is something else than the beginning of another.
    private(set) var isTailDamaged = false

    /// The first bytes of a cache file; then follows the format's number.
    static let magic = Array("livery cache\n".utf8)
    /// The number of the format that this program writes and reads.
    static let format: UInt16 = 1

    private static let lengthLength = 16
    static let chainLength = 32
    private static let beginningLength = magic.count + format.encoded.count + lengthLength + chainLength

    struct Flaw: Error {
        var description = "it is corrupt"
    }

    static func file(with state: CachedState) -> (log: CacheLog, bytes: [UInt8]) {
        let header = magic + format.encoded
        let start = header.count
        var log = CacheLog(
            state: state,
            chain: [],
            length: start,
            baseLength: start,
            chainOffset: start,
            beginning: []
        )
        let bytes = header + log.record(state.encoded)
        (log.baseLength, log.beginning) = (bytes.count, Array(bytes.prefix(beginningLength)))
        return (log, bytes)
    }

    /// Whether so much has been appended that the whole state should be rewritten.
    ///
    /// The changes may grow as large as the state itself, so that the amortized cost of a change depends only on its size.
    var isOvergrown: Bool { length - baseLength > max(baseLength, 64 * 1024) }
}

extension CacheLog {
    init(_ bytes: [UInt8], source: String) throws(Flaw) {
        var reader = CacheReader(bytes[...])
        do {
            guard try reader.next(Self.magic.count).elementsEqual(Self.magic) else { throw Flaw() }
            let format = try reader.read(UInt16.self)
            if format > Self.format { throw Flaw(description: "it has the newer format \(format)") }
            guard format == Self.format, let (payload, chain) = try Self.record(from: &reader, after: []) else {
                throw Flaw()
            }
            state = try CachedState(payload, source: source)
            self.chain = chain
            length = payload.endIndex
            baseLength = length
            chainOffset = payload.startIndex - Self.chainLength
            beginning = Array(bytes.prefix(Self.beginningLength))
        } catch {
            throw error as? Flaw ?? Flaw()
        }
        readRecords(in: bytes[length...], source: source)
    }

    mutating func readRecords(in bytes: ArraySlice<UInt8>, source: String) {
        var reader = CacheReader(bytes)
        let start = length - bytes.startIndex
        isTailDamaged = false
        do {
            while let (payload, chain) = try Self.record(from: &reader, after: chain) {
                state.apply(try CacheChange(payload, source: source))
                self.chain = chain
                length = start + payload.endIndex
                chainOffset = start + payload.startIndex - Self.chainLength
            }
        } catch {
            isTailDamaged = true
        }
    }

    /// - Parameter entries: the result of the change, which shares its common part with the current state.
    /// - Returns: the record to append to the file.
    mutating func append(_ change: CacheChange, leadingTo entries: ConfigEntries) -> [UInt8] {
        let bytes = record(change.encoded)
        (state.entries, state.mark) = (entries, change.mark)
        return bytes
    }

    private mutating func record(_ payload: [UInt8]) -> [UInt8] {
        let count = UInt64(payload.count).encoded
        let head = count + Self.hash(chain, count).prefix(8)
        chain = Self.hash(chain, head, payload)
        chainOffset = length + head.count
        let bytes = head + chain + payload
        length += bytes.count
        return bytes
    }

    /// The next record's payload and hash; `nil` if the bytes end before the record does.
    private static func record(
        from reader: inout CacheReader,
        after chain: [UInt8]
    ) throws(CacheDamage) -> (payload: ArraySlice<UInt8>, chain: [UInt8])? {
        // Fewer bytes than a record has: its writer was interrupted.
        guard let head = try? reader.next(lengthLength) else { return nil }
        var lengthReader = CacheReader(head)
        let length = try lengthReader.read(UInt64.self)
        guard hash(chain, head.prefix(8)).prefix(8).elementsEqual(head.suffix(8)), let count = Int(exactly: length)
        else { throw CacheDamage() }
        // As above.
        guard let stored = try? reader.next(chainLength), let payload = try? reader.next(count) else { return nil }
        let computed = hash(chain, head, payload)
        guard stored.elementsEqual(computed) else { throw CacheDamage() }
        return (payload, computed)
    }

    private static func hash(_ parts: any Collection<UInt8>...) -> [UInt8] {
        var hash = SHA256()
        for part in parts { hash.update(part) }
        return hash.finish()
    }
}
