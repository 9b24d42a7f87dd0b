#if Etcd
    internal import ConfigStore
    internal import NIOSSL

    extension StoreTLS {
        /// The same for the client's library.
        func configuration() throws(StoreError) -> TLSConfiguration {
            var configuration = TLSConfiguration.makeClientConfiguration()
            do {
                if mode == .unverified { configuration.certificateVerification = .none }
                if let authorities {
                    configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(authorities))
                }
                if let identity {
                    configuration.certificateChain = try NIOSSLCertificate.fromPEMFile(identity.certificate)
                        .map { .certificate($0) }
                    let key = try NIOSSLPrivateKey(file: identity.privateKey, format: .pem)
                    configuration.privateKey = .privateKey(key)
                }
                return configuration
            } catch {
                let message = "a certificate or key for etcd cannot be read (\(error)); see the paths in --store"
                throw StoreError(.unavailable, message, underlying: error)
            }
        }
    }
#endif
