// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import CCurl
internal import HTTPTransport

// The options of a transfer besides its request.
extension CurlTransfer {
    /// Configures libcurl for a connection to an origin.
    ///
    /// - Returns: an error if this libcurl lacks a requested feature. No option is silently ignored.
    func apply(_ settings: TransportSettings, to origin: Origin?) -> OperationFailure? {
        var rejected: [String] = []
        func tell(_ name: String, _ code: CURLcode) {
            if code != CURLE_OK, rejected.last != name { rejected.append(name) }
        }
        if let authority = settings.certificateAuthority {
            // Otherwise the system's authorities would be trusted as well; not every libcurl has a default folder for them.
            _ = livery_curl_set_text(handle, CURLOPT_CAPATH, nil)
            livery_curl_forget_authorities(handle)
            tell("custom certificate authorities", set(authority, CURLOPT_CAINFO, livery_curl_set_authority))
        }
        if !settings.pinnedPublicKeys.isEmpty {
            let keys = settings.pinnedPublicKeys.joined(separator: ";")
            tell("pinned public keys", livery_curl_set_text(handle, CURLOPT_PINNEDPUBLICKEY, keys))
        }
        if let identity = settings.clientIdentity {
            let name = "client certificates"
            tell(name, set(identity.certificate, CURLOPT_SSLCERT, livery_curl_set_certificate))
            tell(name, set(identity.key, CURLOPT_SSLKEY, livery_curl_set_key))
            // Without any, OpenSSL would ask for one on the terminal; GnuTLS takes an empty one for that of a locked key.
            let password = identity.password ?? (livery_curl_uses_gnutls() == 0 ? "" : nil)
            if let password { tell(name, livery_curl_set_text(handle, CURLOPT_KEYPASSWD, password)) }
        }
        if let path = settings.unixSocket {
            tell("Unix sockets", path.withPathBytes { livery_curl_set_text(handle, CURLOPT_UNIX_SOCKET_PATH, $0) })
        }
        tell("proxies", applyProxy(settings, to: origin))
        guard let name = rejected.first else { return nil }
        let message = "the installed libcurl does not support \(name); install another build"
        return OperationFailure(.invalidOption, message)
    }

    private func applyProxy(_ settings: TransportSettings, to origin: Origin?) -> CURLcode {
        guard settings.unixSocket == nil, let proxy = settings.proxy else {
            // Requests to this machine never use a proxy, whatever the variables contain.
            guard settings.unixSocket != nil || origin?.isLoopback == true else { return CURLE_OK }
            return livery_curl_set_text(handle, CURLOPT_NOPROXY, "*")
        }
        let codes = [
            livery_curl_set_text(handle, CURLOPT_PROXY, "http://\(proxy.name)"),
            livery_curl_set_text(handle, CURLOPT_NOPROXY, ""),
            proxy.user.map { livery_curl_set_text(handle, CURLOPT_PROXYUSERNAME, $0) } ?? CURLE_OK,
            proxy.password.map { livery_curl_set_text(handle, CURLOPT_PROXYPASSWORD, $0) } ?? CURLE_OK,
        ]
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    /// Sets a file, which libcurl reads for each connection, or a copy of the bytes.
    private func set(
        _ material: TransportSettings.Material,
        _ file: CURLoption,
        _ setBytes: (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int) -> CURLcode
    ) -> CURLcode {
        switch material {
        case .file(let path): return path.withPathBytes { livery_curl_set_text(handle, file, $0) }
        case .bytes(var bytes):
            return bytes.withUnsafeMutableBytes { setBytes(handle, $0.baseAddress, $0.count) }
        }
    }
}

// The error message for libcurl's failure.
extension CurlTransfer {
    func failure(_ code: CURLcode) -> OperationFailure {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: .notFound(server)
        case CURLE_COULDNT_RESOLVE_PROXY:
            OperationFailure(
                .unreachable,
                "unknown host of the proxy \(route.proxy ?? "") for \(server); check \(placeOfProxy)"
            )
        case CURLE_COULDNT_CONNECT: nothingAnswers
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            OperationFailure(
                .insecure,
                "the public key of \(server) does not match the pinned keys; if the server has a new key, pin it"
            )
        case CURLE_SSL_CERTPROBLEM: unusableIdentity
        case CURLE_SSL_CONNECT_ERROR where wordsOfError.contains("error reading x.509"): unusableIdentity
        case CURLE_SSL_CACERT_BADFILE where route.settings.certificateAuthority != nil: .unusableAuthority()
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR: .untrusted(server)
        case _ where Self.indicatesClientCertificate(wordsOfError): .wantsCertificate(server)
        case CURLE_SSL_CONNECT_ERROR where Self.indicatesDisconnect(wordsOfError):
            OperationFailure(.unreachable, "\(peer) closed the connection during the TLS handshake; try again later")
        case CURLE_SSL_CONNECT_ERROR: .failedTLS(server)
        case CURLE_BAD_CONTENT_ENCODING: .notDecompressible(from: server)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP2: .isNotHTTP(server)
        default: refusalByProxy ?? .cutShort(by: peer)
        }
    }

    func failure(of damage: ContentDecoder.Damage) -> OperationFailure {
        guard let encoding = damage.encoding else { return failure(CURLE_BAD_CONTENT_ENCODING) }
        let shown = encoding.excerpt(ofScalars: 40)
        return OperationFailure(
            .badResponse,
            "unsupported content encoding '\(shown)' from \(server); configure gzip or no encoding"
        )
    }

    private var unusableIdentity: OperationFailure {
        let advice = "check that the key matches, and the password of the key"
        return OperationFailure(.invalidOption, "cannot use the client certificate; \(advice)")
    }

    /// The server, or the proxy that may be to blame.
    private var peer: String { route.proxy.map { "\(server) or its proxy \($0)" } ?? server }

    private var placeOfProxy: String {
        route.settings.proxy == nil ? "http_proxy and https_proxy" : "the proxy URL"
    }

    /// The proxy's response if it refused to connect to the server.
    private var refusalByProxy: OperationFailure? {
        let status = livery_curl_proxy_status(handle)
        guard let proxy = route.proxy, status >= 400 else { return nil }
        let what = status == 407 ? "requires valid credentials" : "rejected the connection to \(server)"
        return OperationFailure(.unreachable, "the proxy \(proxy) \(what) (status \(status)); check \(placeOfProxy)")
    }

    /// Whether a handshake failed because the peer disconnected, by the messages of the system, OpenSSL and GnuTLS; libcurl has
    /// no separate code for it.
    static func indicatesDisconnect(_ text: String) -> Bool {
        let words = [
            "reset by peer", "broken pipe", "unexpected eof", "ssl_error_syscall", "non-properly terminated",
            "connection closed", "closed abruptly",
        ]
        return words.contains { text.contains($0) }
    }

    /// Whether a server ended the handshake because of the client's certificate. The alert may arrive with the first bytes of
    /// the response, and libcurl has no separate code for it either.
    static func indicatesClientCertificate(_ text: String) -> Bool {
        let words = ["certificate required", "certificate is required", "alert bad certificate", "alert unknown ca"]
        return words.contains { text.contains($0) }
    }

    /// With a proxy, libcurl has connected to nothing else.
    private var nothingAnswers: OperationFailure {
        if let path = route.settings.unixSocket {
            return OperationFailure(
                .unreachable,
                "connection to the socket \(path) refused; check that the server is running"
            )
        }
        guard let proxy = route.proxy else { return .notAnswering(server) }
        let advice = route.settings.proxy == nil ? ", or add the server to no_proxy" : ""
        return OperationFailure(
            .unreachable,
            "connection to the proxy \(proxy) for \(server) failed; check \(placeOfProxy)\(advice)"
        )
    }
}
