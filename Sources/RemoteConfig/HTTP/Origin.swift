internal import Foundation

/// Who is spoken to: scheme, host and port (RFC 6454). A secret that is meant for one origin is for no other.
struct Origin: Hashable, Sendable {
    let scheme: String
    /// In lower case, without the brackets of an IPv6 address.
    let host: String
    let port: Int

    /// The origin of a URL of `http` or `https` with a host; `nil` for any other.
    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: false)?.lowercased() else {
            return nil
        }
        guard let usual = ["http": 80, "https": 443][scheme], !host.isEmpty else { return nil }
        self.scheme = scheme
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        port = url.port ?? usual
    }

    /// Whether what is said stays between the two.
    var isEncrypted: Bool { scheme == "https" }

    /// Whether the host is this machine: `localhost`, 127.0.0.0/8 or ::1.
    var isLoopback: Bool {
        let octets = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = octets.count == 4 && octets.allSatisfy { UInt8($0) != nil }
        return host == "localhost" || host == "::1" || isIPv4 && octets[0] == "127"
    }

    /// `host:port`, for messages.
    var name: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
