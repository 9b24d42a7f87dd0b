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
        OperationFailure(.unreachable, "unknown host \(server); check the name and the network")
    }

    package static func notAnswering(_ server: String) -> OperationFailure {
        let advice = "check the address, and that the server is running"
        return OperationFailure(.unreachable, "connection to \(server) failed; \(advice)")
    }

    package static func untrusted(_ server: String) -> OperationFailure {
        let advice = "check the certificate, the host name and the system clock"
        return OperationFailure(.insecure, "the certificate of \(server) is not trusted; \(advice)")
    }

    package static func unusableAuthority() -> OperationFailure {
        OperationFailure(
            .invalidOption,
            "cannot use the certificate authority; check that the file exists and is in PEM format"
        )
    }

    package static func wantsCertificate(_ server: String) -> OperationFailure {
        OperationFailure(.forbidden, "\(server) requires a valid client certificate")
    }

    package static func failedTLS(_ server: String) -> OperationFailure {
        OperationFailure(.insecure, "TLS handshake with \(server) failed; check whether the server uses https")
    }

    package static func notDecompressible(from server: String) -> OperationFailure {
        OperationFailure(.badResponse, "cannot decompress the response of \(server)")
    }

    package static func isNotHTTP(_ server: String) -> OperationFailure {
        OperationFailure(.badResponse, "the response of \(server) is not HTTP; check the port")
    }
}
