/// The identity of a store's history, drawn at random when the store is created or restored from a backup.
///
/// A revision means something only within its epoch.
public struct Epoch: Hashable, Sendable {
    /// The 64 bits.
    public let rawValue: UInt64

    /// Creates an epoch from its 64 bits.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Draws an epoch.
    public static func random() -> Epoch {
        Epoch(rawValue: .random(in: .min ... .max))
    }
}

extension Epoch: LosslessStringConvertible {
    /// Sixteen lowercase hexadecimal digits, such as `9f86d081884c7d65`.
    public var description: String { rawValue.hexDigits }

    /// Reads what ``description`` writes; anything else is `nil`.
    public init?(_ text: String) {
        guard let rawValue = UInt64(hexDigits: text) else { return nil }
        self.rawValue = rawValue
    }
}

extension UInt64 {
    /// Sixteen lowercase hexadecimal digits, whose order as a text is that of the numbers.
    package var hexDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Reads exactly sixteen lowercase hexadecimal digits.
    init?(hexDigits text: some StringProtocol) {
        let isCanonical = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        guard text.utf8.count == 16, isCanonical else { return nil }
        self.init(text, radix: 16)
    }
}
