/// One of the three numbers of a ``SemanticVersion``, from 0 on, of any length.
///
/// The standard sets no limit, and some projects use the date and time as a number.
public struct VersionNumber: Hashable, Sendable {
    /// Without needless zeros.
    private let digits: String

    private init(digits: String) {
        self.digits = digits
    }

    /// Creates a number.
    public init(_ number: UInt) {
        digits = String(number)
    }

    /// The number after this one.
    public var next: VersionNumber {
        let nines = digits.utf8.reversed().prefix { $0 == UInt8(ascii: "9") }.count
        var head = Array(digits.utf8.dropLast(nines))
        if let last = head.popLast() { head.append(last + 1) } else { head = [UInt8(ascii: "1")] }
        return VersionNumber(digits: String(decoding: head, as: UTF8.self) + String(repeating: "0", count: nines))
    }
}

extension VersionNumber: ExpressibleByIntegerLiteral {
    /// Creates a number.
    public init(integerLiteral number: UInt) { self.init(number) }
}

extension VersionNumber: Comparable {
    /// Orders by size.
    public static func < (left: VersionNumber, right: VersionNumber) -> Bool {
        let (leftCount, rightCount) = (left.digits.utf8.count, right.digits.utf8.count)
        if leftCount != rightCount { return leftCount < rightCount }
        return left.digits.utf8.lexicographicallyPrecedes(right.digits.utf8)
    }
}

extension VersionNumber: LosslessStringConvertible {
    /// The digits.
    public var description: String { digits }

    /// Reads ASCII digits without a sign and without needless zeros; anything else is `nil`.
    public init?(_ text: String) {
        guard text.isNumeric, !text.hasNeedlessZero else { return nil }
        digits = text
    }
}

extension StringProtocol {
    /// Whether there are only ASCII digits, at least one.
    var isNumeric: Bool {
        !isEmpty && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Whether the first of several digits is a zero.
    var hasNeedlessZero: Bool {
        utf8.count > 1 && utf8.first == UInt8(ascii: "0")
    }
}
