// SPDX-License-Identifier: Apache-2.0

// Numbers of all widths, each with its range. None is rounded but `Float`, which has fewer digits than any number of JSON.

extension CodedScalar where Self: FixedWidthInteger {
    package static var configTypeName: String {
        switch (Int(exactly: min), Int(exactly: max)) {
        case (0, .some(let max)) where Self.bitWidth < 64: "integer from 0 to \(max)"
        case (.some(let min), .some(let max)) where Self.bitWidth < 64: "integer from \(min) to \(max)"
        case (0, _): "non-negative integer"
        default: "integer"
        }
    }

    package static var rule: String { "an integer must be within ±(2^53 − 1); encode a larger one as a string" }

    /// Beyond this range, a number of a configuration is not an exact integer.
    package static var configSchema: EntryValue {
        let most = EntryValue.maximumInteger
        return [
            "type": "integer", "minimum": .integer(Swift.max(Int(clamping: min), -most)),
            "maximum": .integer(Swift.min(Int(clamping: max), most)),
        ]
    }

    /// Reads a whole number, which may be a double within that range.
    package init?(configValue: EntryValue) {
        switch configValue {
        case .integer(let number): self.init(exactly: number)
        case .double(let number) where number.magnitude <= Double(EntryValue.maximumInteger): self.init(exactly: number)
        default: return nil
        }
    }

    package var entryValue: EntryValue? {
        Int(exactly: self).flatMap { $0.magnitude <= EntryValue.maximumInteger ? .integer($0) : nil }
    }

    package var storedValue: EntryValue { Int(exactly: self).map(EntryValue.integer) ?? .null }
}

extension Int: CodedScalar {}
extension Int8: CodedScalar {}
extension Int16: CodedScalar {}
extension Int32: CodedScalar {}
extension Int64: CodedScalar {}
extension Int128: CodedScalar {}
extension UInt: CodedScalar {}
extension UInt8: CodedScalar {}
extension UInt16: CodedScalar {}
extension UInt32: CodedScalar {}
extension UInt64: CodedScalar {}
extension UInt128: CodedScalar {}

extension CodedScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
    package static var configTypeName: String { "number" }
    package static var configSchema: EntryValue { ["type": "number"] }
    package static var rule: String { "a number must be finite" }
    // Not the number itself: the nearest double to the `Float` 0.1 is another number than 0.1.
    package var entryValue: EntryValue? { isFinite ? Double(String(self)).map(EntryValue.init(number:)) : nil }
}

extension Double: CodedScalar {
    package init?(configValue: EntryValue) {
        switch configValue {
        case .double(let number): self = number
        case .integer(let number): self = Double(number)
        default: return nil
        }
    }

    /// Reads the strings `inf`, `-inf` and `nan` as well, which are numbers in a store only.
    package init?(storedValue: EntryValue) {
        switch storedValue {
        case .string("inf"): self = .infinity
        case .string("-inf"): self = -.infinity
        case .string("nan"): self = .nan
        default: self.init(configValue: storedValue)
        }
    }

    package var storedValue: EntryValue { isFinite ? .double(self) : .string(isNaN ? "nan" : "\(self)") }
}

extension Float: CodedScalar {
    package init?(configValue: EntryValue) {
        guard let number = Double(configValue: configValue).map(Float.init), number.isFinite else { return nil }
        self = number
    }
}

extension Duration: CodedScalar {
    package static var configTypeName: String { "duration such as 1.5s, 200ms, 5m, 2h or 7d" }
    package static var configSchema: EntryValue { ["type": ["string", "number"], "pattern": "(ms|s|m|h|d)$"] }

    private static let units: [(name: String, seconds: Double)] = [
        ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400),
    ]

    /// Reads a number of seconds, or a text of a number and a unit; less than 10^15 seconds.
    package init?(configValue: EntryValue) {
        guard let seconds = Double(configValue: configValue) ?? Self.seconds(configValue),
            seconds.magnitude < 1e15
        else { return nil }
        self = .seconds(seconds)
    }

    private static func seconds(_ value: EntryValue) -> Double? {
        guard case .string(let text) = value, let unit = units.first(where: { text.hasSuffix($0.name) }) else {
            return nil
        }
        return Double(text.dropLast(unit.name.count)).map { $0 * unit.seconds }
    }

    package var entryValue: EntryValue? {
        let seconds = self / .seconds(1)
        return .string("\(Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)")s")
    }
}
