// SPDX-License-Identifier: Apache-2.0

#if Etcd
    internal import AsyncHTTPClient
    internal import ConfigStore
    internal import Foundation
    internal import NIOCore
    internal import NIOPosix

    /// The error of a request to etcd.
    struct EtcdFailure: Error {
        enum Kind: Sendable {
            /// No member has answered in time, or none has a leader. A retry may succeed.
            case unreachable
            /// One side does not accept the other's certificate, or does not use TLS.
            case untrusted
            /// etcd's disk quota is used up: it rejects writes until it has been cleaned up.
            case noSpace
            case tooLarge
            /// The answer is larger than the client accepts; a smaller page fits.
            case answerTooLarge
            case tokenExpired
            /// The user or the password is wrong, or none was given.
            case unauthenticated
            /// The user has no permission.
            case forbidden
            /// The requested revision of etcd has been compacted away.
            case compacted
            case other
        }

        var kind: Kind
        /// The reason from etcd or the network.
        var reason: String
        /// Whether the request may have succeeded nevertheless.
        var isUncertain = false

        static let noSpace = EtcdFailure(kind: .noSpace, reason: "a member has raised the alarm NOSPACE")
    }

    extension EtcdFailure {
        /// The failure for an error response of the gateway.
        init(_ complaint: EtcdErrorResponse, status: Int) {
            let reason = complaint.message
            let known = Self.meanings.first { reason.contains($0.text) }
            let kind = known?.kind ?? Kind(code: complaint.code, status: status)
            // Only requests rejected before they were proposed are certain not to have been executed.
            self.init(kind: kind, reason: reason, isUncertain: kind == .unreachable)
        }

        /// The meaning of etcd's reason, where the code alone does not show it.
        private static let meanings: [(text: String, kind: Kind)] = [
            ("HTTP request to an HTTPS server", .untrusted),
            ("database space exceeded", .noSpace),
            ("request is too large", .tooLarge),
            ("larger than max", .tooLarge),
            ("invalid auth token", .tokenExpired),
            ("revision in header is old", .tokenExpired),
            ("user name is empty", .tokenExpired),
            ("has been compacted", .compacted),
            ("authentication failed", .unauthenticated),
            ("authentication is not enabled", .unauthenticated),
        ]
    }

    extension EtcdFailure.Kind {
        /// The meaning of a gRPC code, or of a status without one.
        fileprivate init(code: Int, status: Int) {
            switch (code, status) {
            case (7, _): self = .forbidden
            case (16, _): self = .tokenExpired
            // Deadlines, too many requests, no leader, and gateways that have lost their member.
            case (1, _), (2, _), (4, _), (8, _), (13, _), (14, _), (0, 500...): self = .unreachable
            default: self = .other
            }
        }
    }

    extension StoreError {
        /// The store error for a failure.
        ///
        /// - Parameter place: the endpoints, without password.
        init(_ failure: EtcdFailure, at place: String, isWrite: Bool = false) {
            let (code, reason, message): (Code, Reason, String) =
                switch failure.kind {
                case _ where isWrite && failure.isUncertain:
                    (.uncertain, .unreachable, "did not confirm the write, its result is unknown (\(failure.reason))")
                case .unreachable:
                    (
                        .unavailable, .unreachable,
                        """
                        is unreachable (\(failure.reason)); check that a majority of its members are running and \
                        connected
                        """
                    )
                case .untrusted: (.unavailable, .certificate, "connection failed: \(failure.reason)")
                case .noSpace:
                    (
                        .full, .quota,
                        """
                        has exceeded its quota; compact and defragment it, or raise --quota-backend-bytes, then run \
                        'etcdctl alarm disarm'
                        """
                    )
                case .tooLarge:
                    (
                        .tooLarge, .quota,
                        """
                        rejected the request as too large (\(failure.reason)); publish in smaller parts, or raise its \
                        --max-request-bytes
                        """
                    )
                case .tokenExpired, .unauthenticated:
                    (
                        .unavailable, .credentials,
                        "rejected the user or the password (\(failure.reason)); check both"
                    )
                case .forbidden:
                    (.unavailable, .permission, "denied access to the prefix; grant the user readwrite permission")
                case .compacted, .answerTooLarge, .other:
                    (.unavailable, .unreachable, "returned an error: \(failure.reason)")
                }
            self.init(code, "etcd at \(place) \(message)", reason: reason, underlying: failure)
        }
    }

    extension EtcdFailure {
        /// The failure for an error of the connection.
        init(transport error: any Error) {
            switch error {
            case let failure as EtcdFailure: self = failure
            case is NIOTooManyBytesError:
                self.init(kind: .answerTooLarge, reason: "the response is too large", isUncertain: true)
            case _ where Self.isHandshakeCut(error):
                let reason = "connection closed during the TLS handshake; if etcd does not use TLS, set tls=off"
                self.init(kind: .unreachable, reason: reason)
            default:
                if let reason = Self.tlsReason(error) {
                    self.init(kind: .untrusted, reason: reason)
                } else {
                    self.init(kind: .unreachable, reason: Self.reason(error), isUncertain: Self.wasConnected(error))
                }
            }
        }

        /// Whether the request may have been sent before an error of the connection.
        private static func wasConnected(_ error: any Error) -> Bool {
            switch error {
            case is NIOConnectionError: false
            case let error as IOError: !error.isRefusal
            case let error as HTTPClientError:
                ![.connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout].contains(error)
            default: true
            }
        }

        private static let closed = "connection closed without a response; if etcd uses TLS, check the setting tls"

        private static func reason(_ error: any Error) -> String {
            switch error {
            case let error as HTTPClientError where error == .deadlineExceeded: "request timed out"
            case let error as HTTPClientError where error == .connectTimeout: "connection timed out"
            case let error as HTTPClientError where error == .remoteConnectionClosed: closed
            case let error as IOError where [ECONNRESET, EPIPE].contains(error.errnoCode): closed
            case let error as HTTPClientError: error.shortDescription
            case let error as NIOConnectionError where error.connectionErrors.isEmpty:
                "unknown host '\(error.host)'"
            case is NIOConnectionError: "connection refused"
            case let error as IOError where error.isRefusal: "connection refused"
            case let error as IOError: String(cString: strerror(error.errnoCode)).lowercased()
            case is CancellationError: "the request was cancelled"
            default: "connection lost"
            }
        }
    }

    extension IOError {
        /// Whether no connection was made.
        fileprivate var isRefusal: Bool { [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(errnoCode) }
    }
#endif
