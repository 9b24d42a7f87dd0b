// SPDX-License-Identifier: Apache-2.0

/// A control sequence: `CSI`, perhaps a private marker, parameters, intermediates and a final byte.
struct ControlSequence: Equatable, Sendable {
    /// One of `<=>?`, or `nil`.
    var marker: Character?
    /// The parameters; `nil` where one was left out.
    var parameters: [Int?]
    /// The bytes between the parameters and the final one, as text.
    var intermediates: String
    /// The final byte, which determines the function.
    var final: Character

    /// Reads what stands between `CSI` and the final byte; `nil` if that has no meaning.
    init?(body: [UInt8], final: UInt8) {
        var rest = body[...]
        marker = nil
        if let first = rest.first, (0x3C...0x3F).contains(first) {
            marker = Character(Unicode.Scalar(first))
            rest.removeFirst()
        }
        let digits = rest.prefix { (0x30...0x3B).contains($0) }
        rest = rest.dropFirst(digits.count)
        guard rest.allSatisfy({ (0x20...0x2F).contains($0) }) else { return nil }

        guard let parameters = Self.parameters(digits) else { return nil }
        self.parameters = parameters
        intermediates = String(decoding: rest, as: UTF8.self)
        self.final = Character(Unicode.Scalar(final))
    }

    private static func parameters(_ bytes: ArraySlice<UInt8>) -> [Int?]? {
        if bytes.isEmpty { return [] }
        let parameters = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        // No program sends parts of a parameter, which a colon divides.
        guard parameters.count <= 32, parameters.allSatisfy({ $0.count <= 5 }), !bytes.contains(UInt8(ascii: ":"))
        else {
            return nil
        }
        return parameters.map { Int(String(decoding: $0, as: UTF8.self)) }
    }

    /// A parameter; the default where it was left out.
    func number(_ index: Int, default standard: Int) -> Int {
        guard index < parameters.count else { return standard }
        return parameters[index] ?? standard
    }

    /// A count or a position, for which 0 means 1.
    func count(_ index: Int = 0) -> Int {
        max(1, number(index, default: 1))
    }

    /// Every parameter; 0 where one was left out.
    var numbers: [Int] { parameters.map { $0 ?? 0 } }

    /// The marker, intermediates and final byte, which together name the function.
    var function: String {
        (marker.map(String.init) ?? "") + intermediates + String(final)
    }
}

extension ControlSequence: CustomStringConvertible {
    var description: String {
        let parameters = parameters.map { $0.map(String.init) ?? "" }
        return "CSI " + (marker.map(String.init) ?? "") + parameters.joined(separator: ";") + intermediates
            + String(final)
    }
}
