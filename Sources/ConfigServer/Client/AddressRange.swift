/// Addresses with a common beginning, as in `10.0.0.0/8`, `2001:db8::/32` and, for one alone, `192.0.2.7`.
package struct AddressRange: Hashable, Sendable {
    private let first: IPAddress
    /// How many bits are common, in the IPv6 form.
    private let bits: Int

    /// Whether an address is one of them.
    func contains(_ address: IPAddress) -> Bool {
        address.prefix(bits) == first
    }
}

extension AddressRange: LosslessStringConvertible {
    /// Reads `ADDRESS` or `ADDRESS/BITS`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = IPAddress(String(parts[0])) else { return nil }
        let isIPv4Text = !parts[0].contains(":")
        var bits = 128
        if parts.count == 2 {
            guard let count = UInt8(parts[1]), count <= (isIPv4Text ? 32 : 128), parts[1].first != "+" else {
                return nil
            }
            bits = Int(count) + (isIPv4Text ? 96 : 0)
        }
        // What is shorter than the mark of IPv4 would stand for half of everything.
        if address.isIPv4, bits < 96 { return nil }
        first = address.prefix(bits)
        self.bits = bits
    }

    package var description: String {
        "\(first)/\(first.isIPv4 && bits >= 96 ? bits - 96 : bits)"
    }
}
