// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// A type whose values are one scalar of JSON, in a form that `Codable` leaves to its coders.
protocol CodedScalar: EntryValueConvertible {
    /// What a value needs to be written, as a sentence for an error.
    static var rule: String { get }

    /// The value of JSON; `nil` if there is none.
    var entryValue: EntryValue? { get }
}

extension Bool: CodedScalar {
    static var rule: String { "any Boolean can be written" }
    var entryValue: EntryValue? { .boolean(self) }
}

extension String: CodedScalar {
    static var rule: String { "any text can be written" }
    var entryValue: EntryValue? { .string(self) }
}

extension CodedScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
    static var rule: String { "a number has to be finite" }
    // Not the number itself: the nearest double to the `Float` 0.1 is another number than 0.1.
    var entryValue: EntryValue? { isFinite ? Double(String(self)).map(EntryValue.init(number:)) : nil }
}

extension Double: CodedScalar {}
extension Float: CodedScalar {}

extension CodedScalar where Self: FixedWidthInteger {
    static var rule: String { "an integer has to be within ±(2^53 − 1); write a greater one as a string" }

    var entryValue: EntryValue? {
        Int(exactly: self).flatMap { $0.magnitude <= EntryValue.maximumInteger ? .integer($0) : nil }
    }
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
