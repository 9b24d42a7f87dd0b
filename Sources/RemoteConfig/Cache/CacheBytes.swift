// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The encoding of a cache file: integers little-endian, strings and lists after their length.
protocol CacheCoded {
    func write(to bytes: inout [UInt8])
    init(from reader: inout CacheReader) throws(CacheDamage)
}

extension CacheCoded {
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// Reads a payload, all of it.
    init(_ payload: ArraySlice<UInt8>, source: String) throws(CacheDamage) {
        var reader = CacheReader(payload, source: source)
        try self.init(from: &reader)
        guard reader.isAtEnd else { throw CacheDamage() }
    }
}

extension [UInt8] {
    fileprivate mutating func put<each Value: CacheCoded>(_ values: repeat each Value) {
        repeat (each values).write(to: &self)
    }
}

/// The bytes are not those of a ``CacheCoded`` value.
struct CacheDamage: Error {}

/// Reads a cache file without trusting its contents.
struct CacheReader {
    /// The name of the source that the entries are of.
    let source: String
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>, source: String = "") {
        (rest, self.source) = (bytes, source)
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func next(_ count: Int) throws(CacheDamage) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else { throw CacheDamage() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func read<Value: CacheCoded>(_ type: Value.Type = Value.self) throws(CacheDamage) -> Value {
        try Value(from: &self)
    }
}

extension CacheCoded where Self: FixedWidthInteger {
    func write(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: littleEndian) { bytes.append(contentsOf: $0) }
    }

    init(from reader: inout CacheReader) throws(CacheDamage) {
        self = 0
        for byte in try reader.next(Self.bitWidth / 8).reversed() { self = self << 8 | Self(truncatingIfNeeded: byte) }
    }
}

extension UInt8: CacheCoded {}
extension UInt16: CacheCoded {}
extension UInt32: CacheCoded {}
extension UInt64: CacheCoded {}
extension Int64: CacheCoded {}
extension Int: CacheCoded {}

extension Bool: CacheCoded {
    func write(to bytes: inout [UInt8]) { bytes.put(UInt8(self ? 1 : 0)) }

    init(from reader: inout CacheReader) throws(CacheDamage) {
        let byte = try reader.read(UInt8.self)
        guard byte <= 1 else { throw CacheDamage() }
        self = byte == 1
    }
}

extension Double: CacheCoded {
    func write(to bytes: inout [UInt8]) { bytes.put(bitPattern) }

    init(from reader: inout CacheReader) throws(CacheDamage) {
        self.init(bitPattern: try reader.read())
        // NaN would differ from itself at each comparison.
        guard isFinite else { throw CacheDamage() }
    }
}

extension String: CacheCoded {
    func write(to bytes: inout [UInt8]) {
        bytes.put(UInt32(utf8.count))
        bytes.append(contentsOf: utf8)
    }

    init(from reader: inout CacheReader) throws(CacheDamage) {
        let bytes = try reader.next(Int(try reader.read(UInt32.self)))
        guard let text = String(validating: bytes, as: UTF8.self) else { throw CacheDamage() }
        self = text
    }
}

extension Optional: CacheCoded where Wrapped: CacheCoded {
    func write(to bytes: inout [UInt8]) {
        bytes.put(self != nil)
        if let self { bytes.put(self) }
    }

    init(from reader: inout CacheReader) throws(CacheDamage) {
        self = try reader.read(Bool.self) ? try reader.read(Wrapped.self) : nil
    }
}

extension Array: CacheCoded where Element: CacheCoded {
    func write(to bytes: inout [UInt8]) {
        bytes.put(UInt32(count))
        for element in self { bytes.put(element) }
    }

    init(from reader: inout CacheReader) throws(CacheDamage) {
        self = []
        for _ in 0..<(try reader.read(UInt32.self)) { append(try reader.read()) }
    }
}

extension EntryValue: CacheCoded {
    func write(to bytes: inout [UInt8]) {
        switch self {
        case .string(let text): bytes.put(UInt8(0), text)
        case .integer(let number): bytes.put(UInt8(1), number)
        case .double(let number): bytes.put(UInt8(2), number)
        case .boolean(let flag): bytes.put(UInt8(3), flag)
        case .null, .array, .object: bytes.put(UInt8(4), canonicalJSON)
        }
    }

    init(from reader: inout CacheReader) throws(CacheDamage) {
        switch try reader.read(UInt8.self) {
        case 0: self = .string(try reader.read())
        case 1: self = .integer(try reader.read())
        case 2: self = .double(try reader.read())
        case 3: self = .boolean(try reader.read())
        case 4:
            let json = Array(try reader.read(String.self).utf8)
            do { self = try EntryValue(json: json) } catch { throw CacheDamage() }
        default: throw CacheDamage()
        }
    }
}

extension ConfigEntry: CacheCoded {
    // The position of a value in a text is not stored, since the text may have changed.
    func write(to bytes: inout [UInt8]) { bytes.put(value, changedAt) }

    init(from reader: inout CacheReader) throws(CacheDamage) {
        self.init(value: try reader.read(), source: reader.source, changedAt: try reader.read())
    }
}

extension ConfigEntries: CacheCoded {
    func write(to bytes: inout [UInt8]) {
        bytes.put(UInt32(count))
        for (key, entry) in self { bytes.put(key, entry) }
    }

    init(from reader: inout CacheReader) throws(CacheDamage) {
        var entries = KeyedValues<ConfigEntry>()
        for _ in 0..<(try reader.read(UInt32.self)) {
            let key = try reader.read(String.self)
            entries.update(try reader.read(), forKey: key)
        }
        self.init(entries)
    }
}

extension Timestamp: CacheCoded {
    func write(to bytes: inout [UInt8]) { bytes.put(milliseconds) }

    init(from reader: inout CacheReader) throws(CacheDamage) { self.init(milliseconds: try reader.read()) }
}

extension RevisionCursor: CacheCoded {
    func write(to bytes: inout [UInt8]) { bytes.put(epoch.rawValue, revision) }

    init(from reader: inout CacheReader) throws(CacheDamage) {
        self.init(epoch: Epoch(rawValue: try reader.read()), revision: try reader.read())
    }
}

extension ConfigDigest: CacheCoded {
    func write(to bytes: inout [UInt8]) { bytes.put(description) }

    init(from reader: inout CacheReader) throws(CacheDamage) {
        guard let digest = ConfigDigest(try reader.read(String.self)) else { throw CacheDamage() }
        self = digest
    }
}

extension SourceValidators: CacheCoded {
    func write(to bytes: inout [UInt8]) { bytes.put(entityTag, lastModified) }

    init(from reader: inout CacheReader) throws(CacheDamage) {
        self.init(entityTag: try reader.read(), lastModified: try reader.read())
    }
}

extension CacheMark: CacheCoded {
    func write(to bytes: inout [UInt8]) { bytes.put(cursor, digest, validators, modifiedAt) }

    init(from reader: inout CacheReader) throws(CacheDamage) {
        cursor = try reader.read()
        digest = try reader.read()
        validators = try reader.read()
        modifiedAt = try reader.read()
    }
}

extension CachedState: CacheCoded {
    /// The kind of the state: its values came from the source itself. No other kind is written.
    private static let fromSource: UInt8 = 1

    func write(to bytes: inout [UInt8]) { bytes.put(key, Self.fromSource, programVersion, mark, entries) }

    init(from reader: inout CacheReader) throws(CacheDamage) {
        key = try reader.read()
        guard try reader.read() == Self.fromSource else { throw CacheDamage() }
        programVersion = try reader.read()
        mark = try reader.read()
        entries = try reader.read()
    }
}

extension CacheChange: CacheCoded {
    func write(to bytes: inout [UInt8]) { bytes.put(mark, deletes, upserts) }

    init(from reader: inout CacheReader) throws(CacheDamage) {
        mark = try reader.read()
        deletes = try reader.read()
        upserts = try reader.read()
    }
}
