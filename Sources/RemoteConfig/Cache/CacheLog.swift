internal import ConfigModel

/// The form of a cache file: a header, a record with the whole state, then records with what has changed since.
///
/// A record is a length, a check of the length, a SHA-256 and a payload. Each hash covers the one before it, so that
/// records count only in the order and the file in which they were written. The file counts up to the last record that
/// is whole and fits: a program that died left half a record behind it, and a loss of power may leave zeros.
///
/// The last hash is what a file is known again by: one in which it stands at the same place begins with the same
/// records. Neither a file's number nor its length says so much, as numbers are used again.
struct CacheLog {
    /// What the file says.
    private(set) var state: CachedState
    /// Whose state it is.
    private(set) var identity: String
    /// The hash of the last whole record.
    private(set) var chain: [UInt8]
    /// The bytes up to the end of the last whole record.
    private(set) var length: Int
    /// The bytes of the header and of the record with the whole state.
    private(set) var baseLength: Int
    /// Where the hash of the last whole record stands in the file.
    private(set) var chainOffset: Int
    /// Whether what follows the last whole record is something else than the beginning of another.
    private(set) var isTailDamaged = false

    /// The first bytes of a cache file; then follows the format's number.
    static let magic = Array("livery cache\n".utf8)
    /// The number of the format that this program writes and reads.
    static let format: UInt16 = 1

    private static let headerLength = magic.count + 2
    private static let lengthLength = 16
    /// The bytes of a hash.
    static let chainLength = 32

    /// Why a file is not believed.
    enum Flaw: Error, Hashable {
        case damaged
        case newerFormat(UInt16)
    }

    /// A new file with a state.
    static func file(with state: CachedState, identity: String) -> (log: CacheLog, bytes: [UInt8]) {
        var writer = CacheWriter()
        for byte in magic { writer.number(byte) }
        writer.number(format)
        let start = writer.bytes.count
        var log = CacheLog(state: state, identity: identity, length: start)
        let bytes = writer.bytes + log.record(state.encoded(identity: identity))
        log.baseLength = bytes.count
        return (log, bytes)
    }

    /// Reads a file from its beginning.
    init(_ bytes: [UInt8], source: String) throws(Flaw) {
        var reader = CacheReader(bytes[...])
        do {
            guard try reader.next(Self.magic.count).elementsEqual(Self.magic) else { throw Flaw.damaged }
            let format = try reader.number(UInt16.self)
            if format > Self.format { throw Flaw.newerFormat(format) }
            guard format == Self.format, let (payload, chain) = try Self.record(from: &reader, after: []) else {
                throw Flaw.damaged
            }
            (state, identity) = try CachedState.decoded(payload, source: source)
            self.chain = chain
            length = payload.endIndex
            baseLength = length
            chainOffset = payload.startIndex - Self.chainLength
        } catch {
            throw error as? Flaw ?? .damaged
        }
        readRecords(in: bytes[length...], source: source)
    }

    /// A file that ends after its header.
    private init(state: CachedState, identity: String, length: Int) {
        self.state = state
        self.identity = identity
        self.length = length
        (chain, baseLength, chainOffset) = ([], length, length)
    }

    /// Reads what follows, as far as it is whole.
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

    /// Takes a change in.
    ///
    /// - Parameter entries: what it leads to, which shares what it can with the state that is shown.
    /// - Returns: the record to append to the file.
    mutating func append(_ change: CacheChange, leadingTo entries: ConfigEntries) -> [UInt8] {
        let bytes = record(change.encoded())
        state.entries = entries
        state.mark = change.mark
        return bytes
    }

    /// Whether so much has been appended that the whole state had better be written anew.
    ///
    /// The changes may grow as large as the state itself, so that on average a change costs what it changes.
    var isOvergrown: Bool { length - baseLength > max(baseLength, 64 * 1024) }

    private mutating func record(_ payload: [UInt8]) -> [UInt8] {
        var writer = CacheWriter()
        writer.number(UInt64(payload.count))
        let check = Self.hash(chain, writer.bytes[...]).prefix(8)
        let head = writer.bytes + check
        chain = Self.hash(chain, head[...], payload[...])
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
        guard let head = try? reader.next(lengthLength) else { return nil }
        var lengthReader = CacheReader(head)
        let length = try lengthReader.number(UInt64.self)
        guard hash(chain, head.prefix(8)).prefix(8).elementsEqual(head.suffix(8)), let count = Int(exactly: length)
        else { throw CacheDamage() }
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
