// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The form of a cache file: a header, a record with the whole state, then records with later changes.
///
/// A record is a length, a check of the length, a SHA-256 and JSON. Each hash covers the one before it, so that
/// records count only in the order and the file in which they were written. The file counts up to the last record that
/// is whole and fits: a program that died left half a record behind it, and a loss of power may leave zeros.
///
/// A process recognizes the file by its beginning, through the hash of the first record, and by the last hash, each at its
/// place: another program may have replaced the file just before a record was appended to it. The file's number and length
/// do not suffice, as numbers are used again.
struct CacheLog {
    private(set) var state = CachedState()
    /// The hash of the last whole record; empty before the first.
    private(set) var chain: [UInt8] = []
    /// The bytes up to the end of the last whole record.
    private(set) var length = header.count
    /// The length of the whole file, which may end in something other than a record.
    var fileLength = header.count
    /// The bytes of the header and of the record with the whole state.
    private var baseLength = 0
    /// The offset of the hash of the last complete record.
    private(set) var chainOffset = 0
    /// The first bytes of the file, through the hash of the record with the whole state.
    private(set) var beginning: [UInt8] = []
    /// Whether what follows the last whole record is something else than the beginning of another.
    private(set) var isTailDamaged = false

    /// The first bytes of a cache file; then follows the format's number.
    static let magic = Array("livery cache\n".utf8)
    /// The number of the format that this program writes and reads.
    static let format: UInt8 = 1
    static let header = magic + [format]

    private static let lengthLength = 16
    static let chainLength = 32

    struct Flaw: Error {
        var description = "it is corrupt"
    }

    /// Creates the log of a file that has no record yet.
    init() {}

    /// Whether so much has been appended that the whole state should be rewritten.
    ///
    /// The changes may grow as large as the state itself, so that the amortized cost of a change depends only on its size.
    var isOvergrown: Bool { length - baseLength > max(baseLength, 64 * 1024) }
}

// Reading.
extension CacheLog {
    init(_ bytes: [UInt8], source: String) throws(Flaw) {
        guard bytes.starts(with: Self.magic), bytes.count > Self.magic.count else { throw Flaw() }
        let format = bytes[Self.magic.count]
        if format > Self.format { throw Flaw(description: "it has the newer format \(format)") }
        guard format == Self.format else { throw Flaw() }
        readRecords(in: bytes[length...], source: source)
        if chain.isEmpty { throw Flaw() }
        fileLength = bytes.count
    }

    /// Reads the records that follow the last one.
    mutating func readRecords(in bytes: ArraySlice<UInt8>, source: String) {
        var rest = bytes
        isTailDamaged = false
        do {
            while let (head, chain, payload) = try nextRecord(in: rest) {
                try state.apply(payload, source: source)
                note(head, chain, payload.count)
                rest = rest[payload.endIndex...]
            }
        } catch {
            isTailDamaged = true
        }
    }

    /// The next record; `nil` if the bytes end before it does, because its writer was interrupted.
    private func nextRecord(
        in bytes: ArraySlice<UInt8>
    ) throws(Flaw) -> (head: [UInt8], chain: [UInt8], payload: ArraySlice<UInt8>)? {
        guard bytes.count >= Self.lengthLength else { return nil }
        let count = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | Int64($1) }
        let (head, rest) = (head(of: count), bytes.dropFirst(Self.lengthLength))
        guard count >= 0, bytes.starts(with: head) else { throw Flaw() }
        guard rest.count - Self.chainLength >= count else { return nil }
        let payload = rest.dropFirst(Self.chainLength).prefix(Int(count))
        let chain = Self.hash(chain, head, payload)
        guard rest.starts(with: chain) else { throw Flaw() }
        return (head, chain, payload)
    }
}

// Writing.
extension CacheLog {
    /// Changes the state.
    ///
    /// - Parameter changedKeys: The differences from the current state; `nil` for the first state of a file.
    /// - Returns: The record to append to the file.
    mutating func append(_ state: CachedState, changedKeys: [String]?) -> [UInt8] {
        self.state = state
        let payload = state.record(ofChanged: changedKeys)
        let head = head(of: Int64(payload.count))
        let chain = Self.hash(chain, head, payload)
        note(head, chain, payload.count)
        fileLength = length
        return head + chain + payload
    }

    private mutating func note(_ head: [UInt8], _ chain: [UInt8], _ count: Int) {
        self.chain = chain
        chainOffset = length + head.count
        length = chainOffset + chain.count + count
        if baseLength == 0 { (baseLength, beginning) = (length, Self.header + head + chain) }
    }

    /// The length of the next record, and a check of it.
    private func head(of count: Int64) -> [UInt8] {
        let length = withUnsafeBytes(of: count.littleEndian, Array.init)
        return length + Self.hash(chain, length).prefix(8)
    }

    private static func hash(_ parts: any Collection<UInt8>...) -> [UInt8] {
        var hash = SHA256()
        for part in parts { hash.update(part) }
        return hash.finish()
    }
}
