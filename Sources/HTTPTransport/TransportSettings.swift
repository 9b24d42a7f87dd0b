// SPDX-License-Identifier: Apache-2.0

/// How a transport connects, and what it shows and demands beside what a request says. The values have been checked.
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

    /// Who may sign certificates, in place of those that the system trusts.
    package var certificateAuthority: Material?
    /// `sha256//` and the digest of a public key in base64; one of them has to be the server's.
    package var pinnedPublicKeys: [String] = []
    package var clientIdentity: ClientIdentity?
    /// In place of those that the environment names.
    package var proxy: HTTPProxy?
    package var headers: HTTPHeaders = [:]
    /// A socket on this machine that is connected to instead of the host.
    package var unixSocket: String?

    /// Which program sends the requests: the header field `User-Agent`, for every origin.
    package var userAgent: String?

    package init(userAgent: String? = nil) { self.userAgent = userAgent }

    /// What holds for the origins that redirects lead to. What is shown to one origin, or is known of it, is for no
    /// other; who is trusted to sign, and the way out of a network, hold for all.
    var forOtherOrigins: TransportSettings {
        var settings = TransportSettings(userAgent: userAgent)
        (settings.certificateAuthority, settings.proxy) = (certificateAuthority, proxy)
        return settings
    }

    /// Whether no one else sees what is sent to an origin, encrypted or not: it does not leave this machine.
    func keepsOnThisMachine(_ origin: Origin) -> Bool {
        unixSocket != nil || origin.isLoopback && proxy?.origin.isLoopback != false
    }

    /// What would be left out without a word if a connection to the origin were not encrypted.
    func lossWithoutEncryption(to origin: Origin) -> String? {
        if origin.isEncrypted { return nil }
        if !pinnedPublicKeys.isEmpty { return "the public key of \(origin.name) is pinned" }
        return clientIdentity == nil ? nil : "\(origin.name) is to see a client certificate"
    }
}
