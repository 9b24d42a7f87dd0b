// SPDX-License-Identifier: Apache-2.0

internal import Basics
package import Essentials

/// An origin: scheme, host and port (RFC 6454). A secret for one origin is never sent to another.
package struct Origin: Hashable, Sendable {
    /// `http` or `https`.
    package let scheme: String
    /// In lower case, without the brackets of an IPv6 address.
    package let host: String
    package let port: Int

    /// The origin of a URL of `http` or `https` with a host; `nil` for any other.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: false)?.lowercased() else {
            return nil
        }
        guard let usual = Self.usualPort(of: scheme), !host.isEmpty else { return nil }
        self.scheme = scheme
        self.host = host.filter { !"[]".contains($0) }
        port = url.port ?? usual
    }

    /// The port of an address without one; `nil` for a scheme that is neither `http` nor `https`.
    package static func usualPort(of scheme: String) -> Int? {
        switch scheme {
        case "http": 80
        case "https": 443
        default: nil
        }
    }

    package var isEncrypted: Bool { scheme == "https" }

    /// Whether the host is this machine: `localhost`, 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        let octets = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = octets.count == 4 && octets.allSatisfy { UInt8($0) != nil }
        return host == "localhost" || host == "::1" || isIPv4 && octets[0] == "127"
    }

    /// `host:port`, for messages.
    package var name: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

enum RedirectRule {
    static let maximum = 5

    /// The request to make next; `nil` if the answer is the final one.
    ///
    /// The method stays the same, so redirects of methods other than GET and HEAD are followed only for 307 and 308, and
    /// only within their origin: no other origin gets a body, a token or a write.
    ///
    /// - Parameter count: The number of redirects before this one.
    /// - Throws: `badResponse` for a loop or an address that is not HTTP, `insecure` for a redirect that must not be followed.
    static func next(
        after head: HTTPResponseHead,
        to request: HTTPRequest,
        count: Int
    ) throws(OperationFailure) -> HTTPRequest? {
        let isRead = ["GET", "HEAD"].contains(request.method)
        switch head.status {
        case 307, 308: break
        case 301...303: guard isRead else { return nil }
        default: return nil
        }
        guard let from = Origin(request.url), let location = head.headers["Location"] else { return nil }
        guard count < maximum else {
            throw OperationFailure(.badResponse, "too many redirects from \(from.name); check the address")
        }
        guard let url = URL(string: location, relativeTo: request.url)?.absoluteURL, let to = Origin(url) else {
            throw OperationFailure(.badResponse, "invalid redirect from \(from.name)")
        }
        guard to.isEncrypted || !from.isEncrypted else {
            let message = "refusing the redirect from \(from.name) to \(to.name) without encryption"
            throw OperationFailure(.insecure, message)
        }
        var next = request
        next.url = url
        if to == from { return next }
        guard isRead, request.body == nil else {
            let message = "refusing the redirect from \(from.name) to \(to.name): the request has a body"
            throw OperationFailure(.insecure, "\(message); to use that host, set its address")
        }
        next.authorization = nil
        return next
    }
}
