#if Etcd
    internal import AsyncHTTPClient
    internal import Foundation
    internal import NIOCore
    internal import NIOPosix
    internal import NIOSSL

    extension EtcdFailure {
        /// What an error of the connection means.
        init(transport error: any Error) {
            if let failure = error as? EtcdFailure {
                self = failure
                return
            }
            let isConnected: Bool
            switch error {
            case is NIOConnectionError, is NIOSSLError, is NIOSSLExtraError: isConnected = false
            case let error as IOError: isConnected = !error.isRefusal
            case let error as HTTPClientError:
                isConnected = ![.connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout].contains(error)
            default: isConnected = true
            }
            self.init(kind: .unreachable, reason: Self.reason(error), isUncertain: isConnected)
        }

        private static func reason(_ error: any Error) -> String {
            switch error {
            case let error as HTTPClientError where error == .deadlineExceeded: "no answer in time"
            case let error as HTTPClientError where error == .connectTimeout: "no connection in time"
            case let error as HTTPClientError: error.shortDescription
            case is NIOConnectionError: "the connection is refused"
            case let error as IOError where error.isRefusal: "the connection is refused"
            default: "\(error)"
            }
        }
    }

    extension IOError {
        /// Whether there was no connection.
        fileprivate var isRefusal: Bool { [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(errnoCode) }
    }
#endif
