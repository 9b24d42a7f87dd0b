// SPDX-License-Identifier: Apache-2.0

/// The connection settings of a transport, besides those of a request. The values have been validated.
package struct TransportSettings: Sendable {
    /// PEM in a file, which is read for each connection, or in memory.
    package enum Material: Sendable {
        case file(String)
        case bytes([UInt8])
    }

    package struct ClientIdentity: Sendable {
        package let certificate: Material
        package let key: Material
        package let password: String?

        package init(certificate: Material, key: Material, password: String?) {
            (self.certificate, self.key, self.password) = (certificate, key, password)
        }

        /// The certificate's identity: its path, or its bytes.
        package var name: String {
            switch certificate {
            case .file(let path): path
            case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    package struct HTTPProxy: Sendable {
        let origin: Origin
        package let user: String?
        package let password: String?

        package init(origin: Origin, user: String?, password: String?) {
            (self.origin, self.user, self.password) = (origin, user, password)
        }

        /// Host and port, for messages.
        package var name: String { origin.name }
    }

    /// The certificate authorities to trust in place of the system's.
    package var certificateAuthority: Material?
    /// `sha256//` and the digest of a public key in base64; one of them has to be the server's.
    package var pinnedPublicKeys: [String] = []
    package var clientIdentity: ClientIdentity?
    /// The proxy to use in place of the environment's.
    package var proxy: HTTPProxy?
    package var headers: HTTPHeaders = [:]
    /// A socket on this machine that is connected to instead of the host.
    package var unixSocket: String?

    /// The program that sends the requests: the header field `User-Agent`, for every origin.
    package var userAgent: String?

    package init(userAgent: String? = nil) { self.userAgent = userAgent }

    /// The settings for origins reached by redirects: without client credentials and pinned keys, which belong to one origin,
    /// but with the same trusted authorities and proxy.
    var forOtherOrigins: TransportSettings {
        var settings = TransportSettings(userAgent: userAgent)
        (settings.certificateAuthority, settings.proxy) = (certificateAuthority, proxy)
        return settings
    }

    /// The settings for the first origin after a redirect from another one, which has chosen the path: without credentials.
    var forReturn: TransportSettings {
        var settings = self
        (settings.headers, settings.clientIdentity) = ([:], nil)
        return settings
    }

    /// Whether traffic to an origin stays on this machine, encrypted or not.
    func staysOnThisMachine(_ origin: Origin) -> Bool {
        unixSocket != nil || origin.isLoopback && proxy?.origin.isLoopback != false
    }

    /// The setting that would be silently ignored if a connection to the origin were not encrypted.
    func lossWithoutEncryption(to origin: Origin) -> String? {
        if origin.isEncrypted { return nil }
        if !pinnedPublicKeys.isEmpty { return "the public key of \(origin.name) is pinned" }
        return clientIdentity == nil ? nil : "a client certificate is set for \(origin.name)"
    }
}
