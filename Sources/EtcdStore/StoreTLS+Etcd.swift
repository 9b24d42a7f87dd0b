// SPDX-License-Identifier: Apache-2.0

#if Etcd
    internal import ConfigStore
    internal import NIOSSL

    extension StoreTLS {
        /// - Throws: `unavailable` if a certificate or a key cannot be read.
        func configuration() throws(StoreError) -> TLSConfiguration {
            var configuration = TLSConfiguration.makeClientConfiguration()
            if mode == .unverified { configuration.certificateVerification = .none }
            if let authorities {
                configuration.trustRoots = .certificates(
                    try read(authorities, "ca", "no certificates") { try NIOSSLCertificate.fromPEMBytes($0) }
                )
            }
            if let identity {
                configuration.certificateChain = try read(identity.certificate, "cert", "no certificate") {
                    try NIOSSLCertificate.fromPEMBytes($0).map { .certificate($0) }
                }
                configuration.privateKey = try read(identity.privateKey, "key", "no private key") {
                    .privateKey(try NIOSSLPrivateKey(bytes: $0, format: .pem))
                }
            }
            return configuration
        }

        private func read<Value>(
            _ path: String,
            _ option: String,
            _ lack: String,
            _ body: ([UInt8]) throws -> Value
        ) throws(StoreError) -> Value {
            let bytes = try bytes(of: path, option)
            do {
                return try body(bytes)
            } catch {
                throw StoreError(
                    .unavailable,
                    "cannot read \(path): it contains \(lack) in PEM format; check the TLS setting \(option)",
                    reason: .certificate,
                    underlying: error
                )
            }
        }
    }

    extension EtcdFailure {
        /// The reason why a TLS handshake failed, and the next step; `nil` for any other error.
        static func tlsReason(_ error: any Error) -> String? {
            switch error {
            case NIOSSLError.handshakeFailed(let error):
                reason(error) ?? "TLS handshake failed (\(lastReason(of: error))); check the setting tls"
            // In TLS 1.3 a client certificate is refused after the handshake.
            case let error as BoringSSLError: reason(error)
            case is NIOSSLExtraError:
                "the certificate does not match the host; use a host name or address of the certificate"
            case NIOSSLError.unableToValidateCertificate, NIOSSLError.noCertificateToValidate: untrusted
            default: nil
            }
        }

        private static let untrusted =
            "the certificate has expired or is not trusted; renew it, or set its authority with the setting ca"

        /// Whether the connection was closed during the handshake: by a member that does not use TLS, or is just ending.
        static func isHandshakeCut(_ error: any Error) -> Bool {
            if case NIOSSLError.handshakeFailed(let error) = error {
                stack(of: error).contains("EOF during")
            } else {
                false
            }
        }

        private static func reason(_ error: BoringSSLError) -> String? {
            let stack = stack(of: error)
            if stack.contains("CERTIFICATE_VERIFY_FAILED") { return untrusted }
            if stack.contains("WRONG_VERSION_NUMBER") {
                return "etcd does not use TLS on this port; use its https port, or set tls=off"
            }
            let refusals = ["CERTIFICATE_REQUIRED", "BAD_CERTIFICATE", "UNKNOWN_CA", "CERTIFICATE_UNKNOWN", "EXPIRED"]
            guard refusals.contains(where: { stack.contains($0) }) else { return nil }
            return "missing or rejected client certificate; check the settings cert and key"
        }

        /// BoringSSL's texts, such as `error:1000007d:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED at …`.
        private static func stack(of error: BoringSSLError) -> String {
            switch error {
            case .sslError(let stack), .unknownError(let stack): stack.map(\.description).joined(separator: "\n")
            default: ""
            }
        }

        private static func lastReason(of error: BoringSSLError) -> String {
            let text = stack(of: error).prefix { $0 != "\n" }.split(separator: " at ").first
            return text?.split(separator: ":").last.map(String.init) ?? "no reason given"
        }
    }
#endif
