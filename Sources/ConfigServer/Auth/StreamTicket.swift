// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// A right to open the stream of one namespace, in the stream's address: a browser's `EventSource` sends no fields.
///
/// It lasts some minutes, and no longer than the token that it was made for. Its code is made with the hash of that token, so
/// that each server with the same tokens accepts it, also after a restart; the hash is as secret as the file that it is in.
struct StreamTicket: Hashable, Sendable {
    /// Seconds since 1970.
    private let expiry: UInt64
    /// The token of the ticket: the first bytes of the token's hash.
    private let holder: [UInt8]
    private let code: [UInt8]

    /// The minimum validity of a ticket in seconds; the maximum is twice as long. All tickets of one period are equal, so that
    /// a client with an open stream receives the same address in each response.
    static let period = 300
    private static let holderBytes = 8

    init(for token: AccessToken, _ namespace: String, at seconds: Int) {
        expiry = UInt64((max(0, seconds) / Self.period + 2) * Self.period)
        holder = Array(token.hash.prefix(Self.holderBytes))
        code = Self.code(token, namespace, expiry)
    }

    /// - Returns: `nil` if it is not a ticket.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let expiry = UInt64(decimal: String(parts[0])),
            let holder = [UInt8](hexDigits: parts[1]), holder.count == Self.holderBytes,
            let code = [UInt8](hexDigits: parts[2])
        else { return nil }
        (self.expiry, self.holder, self.code) = (expiry, holder, code)
    }

    /// The ticket as it is in an address.
    var text: String { "\(expiry).\(holder.hexDigits).\(code.hexDigits)" }

    func isMade(for token: AccessToken, _ namespace: String) -> Bool {
        holder.elementsEqual(token.hash.prefix(Self.holderBytes))
            && code.equals(Self.code(token, namespace, expiry))
    }

    /// Whether the ticket is valid now. The holder of a token could create tickets for later, which are not valid yet.
    func isValid(at seconds: Int) -> Bool {
        let now = UInt64(max(0, seconds))
        // Another server's clock may be ahead.
        return expiry > now && expiry <= now + UInt64(3 * Self.period)
    }

    private static func code(_ token: AccessToken, _ namespace: String, _ expiry: UInt64) -> [UInt8] {
        SHA256.authenticationCode(of: "livery stream \(namespace) \(expiry)".utf8, key: token.hash)
    }
}
