internal import ConfigModel

/// Writes the parts of a cache file: whole numbers little-endian, texts and lists after their length.
struct CacheWriter {
    private(set) var bytes: [UInt8] = []

    mutating func number(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func text(_ text: String) {
        number(UInt32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func optional<Value>(_ value: Value?, _ write: (inout CacheWriter, Value) -> Void) {
        number(UInt8(value == nil ? 0 : 1))
        if let value { write(&self, value) }
    }

    mutating func list<Element>(_ elements: some Collection<Element>, _ write: (inout CacheWriter, Element) -> Void) {
        number(UInt32(elements.count))
        for element in elements { write(&self, element) }
    }

    mutating func value(_ value: EntryValue) {
        switch value {
        case .string(let text): tagged(0) { $0.text(text) }
        case .integer(let number): tagged(1) { $0.number(Int64(number)) }
        case .double(let number): tagged(2) { $0.number(number.bitPattern) }
        case .boolean(let flag): tagged(3) { $0.number(UInt8(flag ? 1 : 0)) }
        case .strings(let elements): tagged(4) { $0.list(elements) { $0.text($1) } }
        case .integers(let elements): tagged(5) { $0.list(elements) { $0.number(Int64($1)) } }
        case .doubles(let elements): tagged(6) { $0.list(elements) { $0.number($1.bitPattern) } }
        case .booleans(let elements): tagged(7) { $0.list(elements) { $0.number(UInt8($1 ? 1 : 0)) } }
        }
    }

    private mutating func tagged(_ tag: UInt8, _ write: (inout CacheWriter) -> Void) {
        number(tag)
        write(&self)
    }
}

/// The bytes are not what a ``CacheWriter`` writes.
struct CacheDamage: Error {}

/// Reads what a ``CacheWriter`` has written, and believes nothing.
struct CacheReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    mutating func next(_ count: Int) throws(CacheDamage) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.endIndex - position else { throw CacheDamage() }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(CacheDamage) -> Number {
        var number: Number = 0
        for byte in try next(Number.bitWidth / 8).reversed() { number = number << 8 | Number(truncatingIfNeeded: byte) }
        return number
    }

    mutating func flag() throws(CacheDamage) -> Bool {
        switch try number(UInt8.self) {
        case 0: false
        case 1: true
        default: throw CacheDamage()
        }
    }

    mutating func text() throws(CacheDamage) -> String {
        let slice = try next(Int(try number(UInt32.self)))
        guard let text = String(validating: slice, as: UTF8.self) else { throw CacheDamage() }
        return text
    }

    mutating func optional<Value>(
        _ read: (inout CacheReader) throws(CacheDamage) -> Value
    ) throws(CacheDamage) -> Value? {
        try flag() ? try read(&self) : nil
    }

    mutating func list<Element>(
        _ read: (inout CacheReader) throws(CacheDamage) -> Element
    ) throws(CacheDamage) -> [Element] {
        var elements: [Element] = []
        for _ in 0..<(try number(UInt32.self)) { elements.append(try read(&self)) }
        return elements
    }

    mutating func value() throws(CacheDamage) -> EntryValue {
        switch try number(UInt8.self) {
        case 0: .string(try text())
        case 1: .integer(try integer())
        case 2: .double(try double())
        case 3: .boolean(try flag())
        case 4: .strings(try list { (reader) throws(CacheDamage) in try reader.text() })
        case 5: .integers(try list { (reader) throws(CacheDamage) in try reader.integer() })
        case 6: .doubles(try list { (reader) throws(CacheDamage) in try reader.double() })
        case 7: .booleans(try list { (reader) throws(CacheDamage) in try reader.flag() })
        default: throw CacheDamage()
        }
    }

    private mutating func integer() throws(CacheDamage) -> Int {
        Int(truncatingIfNeeded: try number(Int64.self))
    }

    private mutating func double() throws(CacheDamage) -> Double {
        let number = Double(bitPattern: try number(UInt64.self))
        // What is no number would be another value each time that it is compared.
        guard number.isFinite else { throw CacheDamage() }
        return number
    }
}
