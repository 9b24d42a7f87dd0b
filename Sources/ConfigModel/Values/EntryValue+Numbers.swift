// SPDX-License-Identifier: Apache-2.0

// Numbers of all widths, each with its range. None is rounded but `Float`, which has fewer digits than any number of JSON.

extension EntryValueConvertible where Self: FixedWidthInteger {
    /// `integer`, with the range where it is less than that of an integer of JSON.
    public static var configTypeName: String {
        switch (Int(exactly: min), Int(exactly: max)) {
        case (0, .some(let max)) where Self.bitWidth < 64: "integer from 0 to \(max)"
        case (.some(let min), .some(let max)) where Self.bitWidth < 64: "integer from \(min) to \(max)"
        case (0, _): "integer from 0 on"
        default: "integer"
        }
    }

    /// Reads an integer within the type's range; no other number is rounded to one.
    public init?(configValue: EntryValue) {
        guard case .integer(let number) = configValue else { return nil }
        self.init(exactly: number)
    }
}

extension Int8: EntryValueConvertible {}
extension Int16: EntryValueConvertible {}
extension Int32: EntryValueConvertible {}
extension Int64: EntryValueConvertible {}
extension Int128: EntryValueConvertible {}
extension UInt: EntryValueConvertible {}
extension UInt8: EntryValueConvertible {}
extension UInt16: EntryValueConvertible {}
extension UInt32: EntryValueConvertible {}
extension UInt64: EntryValueConvertible {}
extension UInt128: EntryValueConvertible {}

extension Float: EntryValueConvertible {
    /// `number`.
    public static var configTypeName: String { "number" }

    /// Reads the nearest number to any that is not too large for the type.
    public init?(configValue: EntryValue) {
        guard let number = Double(configValue: configValue).map(Float.init), number.isFinite else { return nil }
        self = number
    }
}
