// SPDX-License-Identifier: Apache-2.0

internal import NIOCore

/// An IPv4 or IPv6 address. An IPv4 address that is mapped into IPv6 (`::ffff:192.0.2.1`) is the IPv4 address.
struct IPAddress: Hashable, Sendable {
    /// In network order; an IPv4 address is `::ffff:a.b.c.d`.
    private let bits: UInt128

    var isIPv4: Bool { bits >> 32 == 0xFFFF }

    var isLoopback: Bool { isIPv4 ? bits >> 24 & 0xFF == 127 : bits == 1 }

    /// The address with all but its first bits cleared, 0–128 in the IPv6 form.
    func prefix(_ count: Int) -> IPAddress { IPAddress(bits: bits & ~(UInt128.max >> count)) }
}

extension IPAddress {
    /// - Parameter bytes: 4 or 16 bytes in network order.
    init?(bytes: some Collection<UInt8>) {
        let number = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        switch bytes.count {
        case 4: self.init(bits: 0xFFFF_0000_0000 | number)
        case 16: self.init(bits: number)
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
}

extension IPAddress: LosslessStringConvertible {
    /// Parses an address without brackets, port and zone.
    init?(_ text: String) {
        // The parser below is C's, which stops at a NUL.
        let isAddress = text.utf8.allSatisfy { $0.hexDigit != nil || ".:".utf8.contains($0) }
        guard isAddress, let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
        self.init(address)
    }

    var description: String {
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: bits >> (120 - 8 * $0)) }
        let packed = ByteBuffer(bytes: bytes.suffix(isIPv4 ? 4 : 16))
        // An address of 4 or 16 bytes is always valid.
        return (try? SocketAddress(packedIPAddress: packed, port: 0))?.ipAddress ?? "invalid"
    }
}

/// A range of addresses, such as `10.0.0.0/8`, `2001:db8::/32` or the single `192.0.2.7`.
public struct AddressRange: Hashable, Sendable {
    private let first: IPAddress
    /// The length of the prefix, counted in the IPv6 form.
    private let bits: Int

    func contains(_ address: IPAddress) -> Bool { address.prefix(bits) == first }
}

extension AddressRange: LosslessStringConvertible {
    /// Reads an address, or a range as an address and the length of its prefix.
    public init?(_ text: String) {
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

    /// The address and the length of its prefix, such as `10.0.0.0/8`.
    public var description: String {
        "\(first)/\(first.isIPv4 && bits >= 96 ? bits - 96 : bits)"
    }
}

/// The address of a request's sender, for the audit log and for counting failures.
struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address; `nil` for a socket without an Internet address.
    private let address: IPAddress?

    init(_ address: IPAddress?) {
        self.address = address
    }

    /// The unit that counts as one client: an IPv4 address, or the /64 of an IPv6 address, which one customer has.
    var network: IPAddress? { address.map { $0.isIPv4 ? $0 : $0.prefix(64) } }

    var description: String { address?.description ?? "local" }
}
