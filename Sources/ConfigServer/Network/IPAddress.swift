internal import NIOCore

/// An IPv4 or IPv6 address. An IPv4 address that is mapped into IPv6 (`::ffff:192.0.2.1`) is the IPv4 address.
package struct IPAddress: Hashable, Sendable {
    /// The 128 bits; an IPv4 address is `::ffff:a.b.c.d`.
    private let high: UInt64
    private let low: UInt64

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// - Parameter bytes: 4 or 16 bytes in network order.
    /// - Returns: `nil` for any other number of bytes.
    init?(bytes: some Collection<UInt8>) {
        func number(_ part: some Sequence<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
        switch bytes.count {
        case 4: self.init(high: 0, low: 0xFFFF_0000_0000 | number(bytes))
        case 16: self.init(high: number(bytes.prefix(8)), low: number(bytes.suffix(8)))
        default: return nil
        }
    }

    /// The address of a socket's other end; `nil` if it is not an Internet address.
    init?(_ address: SocketAddress?) {
        guard let address else { return nil }
        let bytes = address.withSockAddr { Array(UnsafeRawBufferPointer(start: $0, count: $1)) }
        // The offsets of the addresses in `sockaddr_in` and `sockaddr_in6`, the same on every system.
        switch address {
        case .v4: self.init(bytes: bytes.dropFirst(4).prefix(4))
        case .v6: self.init(bytes: bytes.dropFirst(8).prefix(16))
        default: return nil
        }
    }

    /// Whether it is an IPv4 address.
    var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// Whether it is a loopback address.
    package var isLoopback: Bool {
        isIPv4 ? UInt8(truncatingIfNeeded: low >> 24) == 127 : high == 0 && low == 1
    }

    /// The address with all but its first bits cleared.
    ///
    /// - Parameter bits: 0–128, counted in the IPv6 form.
    func prefix(_ bits: Int) -> IPAddress {
        let highMask = bits >= 64 ? UInt64.max : ~(UInt64.max >> bits)
        let lowMask = bits <= 64 ? 0 : ~(bits == 128 ? 0 : UInt64.max >> (bits - 64))
        return IPAddress(high: high & highMask, low: low & lowMask)
    }

    private var bytes: [UInt8] {
        let all = [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
        return isIPv4 ? Array(all.suffix(4)) : all
    }
}

extension IPAddress: LosslessStringConvertible {
    /// Parses an address without brackets, port and zone.
    package init?(_ text: String) {
        // The parser below is C's, which stops at a NUL.
        let isAddress = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "."), UInt8(ascii: ":"):
                true
            default: false
            }
        }
        guard isAddress, let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
        self.init(address)
    }

    /// The address in the form of RFC 5952.
    package var description: String {
        let packed = ByteBuffer(bytes: bytes)
        return (try? SocketAddress(packedIPAddress: packed, port: 0))?.ipAddress ?? "invalid"
    }
}

/// A range of addresses, such as `10.0.0.0/8`, `2001:db8::/32` or the single `192.0.2.7`.
package struct AddressRange: Hashable, Sendable {
    private let first: IPAddress
    /// The length of the prefix in bits, counted in the IPv6 form.
    private let bits: Int

    /// Whether an address is in the range.
    func contains(_ address: IPAddress) -> Bool {
        address.prefix(bits) == first
    }
}

extension AddressRange: LosslessStringConvertible {
    /// Parses `ADDRESS` or `ADDRESS/BITS`.
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
        // A prefix shorter than that of IPv4-mapped addresses would cover them all.
        if address.isIPv4, bits < 96 { return nil }
        first = address.prefix(bits)
        self.bits = bits
    }

    package var description: String {
        "\(first)/\(first.isIPv4 && bits >= 96 ? bits - 96 : bits)"
    }
}
