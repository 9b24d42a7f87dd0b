// SPDX-License-Identifier: Apache-2.0

package import Basics

/// The library's reason for a failed request.
package struct TransportError: Error, Hashable, CustomStringConvertible {
    /// The name of the library, its code and its words.
    package let description: String
    /// Whether nothing of the request can have reached the server.
    package let isBeforeRequest: Bool

    package init(_ description: String, isBeforeRequest: Bool) {
        (self.description, self.isBeforeRequest) = (description, isBeforeRequest)
    }
}

// Failures that each library reports in its own way. A server is host and port, and the proxy that may be to blame.
extension OperationFailure {
    package static func notFound(_ server: String) -> OperationFailure {
        OperationFailure(.unreachable, "\(server) cannot be found; check the name and the network")
    }

    package static func notAnswering(_ server: String) -> OperationFailure {
        let advice = "check that the server runs and the address is right"
        return OperationFailure(.unreachable, "nothing answers at \(server); \(advice)")
    }

    package static func untrusted(_ server: String) -> OperationFailure {
        let advice = "check it, the host name and the clock"
        return OperationFailure(.insecure, "the certificate of \(server) is not trusted; \(advice)")
    }

    package static func unusableAuthority() -> OperationFailure {
        OperationFailure(.invalidOption, "the certificate authority cannot be used; check that it is there, and PEM")
    }

    package static func wantsCertificate(_ server: String) -> OperationFailure {
        OperationFailure(.forbidden, "\(server) requires a client certificate, or another one")
    }

    package static func failedTLS(_ server: String) -> OperationFailure {
        OperationFailure(.insecure, "the TLS handshake with \(server) failed; check whether https is right")
    }

    package static func notDecompressible(from server: String) -> OperationFailure {
        OperationFailure(.badResponse, "what \(server) sends cannot be decompressed")
    }

    package static func isNotHTTP(_ server: String) -> OperationFailure {
        OperationFailure(.badResponse, "the answer from \(server) is not HTTP; check the port")
    }
}
