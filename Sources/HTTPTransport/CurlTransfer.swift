internal import CCurl
internal import ConfigModel
internal import Essentials

/// A request in libcurl's hands. It stays on the loop's thread.
final class CurlTransfer {
    let handle: UnsafeMutableRawPointer
    let exchange: HTTPExchange
    private(set) var isPaused = false
    private let fields: UnsafeMutablePointer<curl_slist>?
    private let server: String
    private let proxy: String?
    private var head: HTTPHeadReader
    /// What libcurl writes of a failure, ended by a zero.
    private let errorText: UnsafeMutablePointer<CChar>

    /// - Returns: `nil` if there is too little memory.
    init?(_ request: HTTPRequest, by proxy: String?, _ exchange: HTTPExchange) {
        guard let handle = livery_curl_easy_init() else { return nil }
        self.handle = handle
        self.exchange = exchange
        server = Origin(request.url)?.name ?? ""
        self.proxy = proxy
        head = HTTPHeadReader(url: request.url)
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        fields = Self.lines(of: request).reduce(nil) { livery_curl_slist_append($0, $1) }
        configure(for: request)
    }

    private static func lines(of request: HTTPRequest) -> [String] {
        var headers = request.headers
        headers["User-Agent"] = "livery/\(SemanticVersion.livery)"
        headers["Authorization"] = request.authorization?()
        var lines = headers.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        // What libcurl would add by itself.
        lines.append("Expect:")
        if headers["Content-Type"] == nil { lines.append("Content-Type:") }
        return lines
    }

    private func configure(for request: HTTPRequest) {
        livery_curl_set_text(handle, CURLOPT_URL, request.url.absoluteString)
        livery_curl_set_fields(handle, fields)
        livery_curl_set_error_buffer(handle, errorText)
        livery_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        livery_curl_set_number(handle, CURLOPT_TCP_KEEPALIVE, 1)
        livery_curl_set_number(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // Events would wait in a compressor; what comes compressed all the same is decompressed.
        livery_curl_set_text(handle, CURLOPT_ACCEPT_ENCODING, request.timeouts.total == nil ? "identity" : "gzip")
        // What is for this machine is no proxy's business, whatever the variables say.
        if Origin(request.url)?.isLoopback == true { livery_curl_set_text(handle, CURLOPT_NOPROXY, "*") }
        if let body = request.body ?? (["GET", "HEAD", "DELETE"].contains(request.method) ? nil : []) {
            body.withUnsafeBytes {
                _ = livery_curl_set_body(handle, $0.baseAddress ?? UnsafeRawPointer(handle), curl_off_t($0.count))
            }
        }
        livery_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
        // On a connection that was used before, libcurl sends anew what ended without an answer, and it would be done twice.
        if !["GET", "HEAD"].contains(request.method) { livery_curl_set_number(handle, CURLOPT_FRESH_CONNECT, 1) }
        if request.method == "HEAD" { livery_curl_set_number(handle, CURLOPT_NOBODY, 1) }
        livery_curl_set_sinks(
            handle,
            { CurlTransfer.from($3).received(line: UnsafeRawBufferPointer(start: $0, count: $1 * $2)) },
            { CurlTransfer.from($3).received(body: UnsafeRawBufferPointer(start: $0, count: $1 * $2)) },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
        // Set once in `configure`, and alive for as long as the loop holds the handle.
        Unmanaged<CurlTransfer>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
    }

    private func received(line: UnsafeRawBufferPointer) -> Int {
        if let head = head.read(line) { exchange.received(head) }
        return line.count
    }

    private func received(body: UnsafeRawBufferPointer) -> Int {
        switch exchange.received(body) {
        case .taken: return body.count
        case .refused: return 0
        case .later:
            isPaused = true
            return livery_curl_pause()
        }
    }

    func resume() {
        isPaused = false
        livery_curl_easy_resume(handle)
    }

    /// Takes the transfer out of the loop and frees what it holds. It must not be used after this.
    func finish(on multi: UnsafeMutableRawPointer, _ outcome: Result<Void, ConfigError>) {
        livery_curl_multi_remove(multi, handle)
        livery_curl_easy_cleanup(handle)
        livery_curl_slist_free_all(fields)
        errorText.deallocate()
        exchange.end(outcome)
    }

    func outcome(of code: CURLcode) -> Result<Void, ConfigError> {
        if code == CURLE_OK { return .success(()) }
        var error = failure(code)
        let reason = String(cString: livery_curl_easy_strerror(code))
        error.underlying = CurlError(code: Int(code.rawValue), reason: reason)
        return .failure(error)
    }

    private func failure(_ code: CURLcode) -> ConfigError {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            ConfigError(.unreachable, "\(server) cannot be found; check the name and the network")
        case CURLE_COULDNT_RESOLVE_PROXY:
            ConfigError(
                .unreachable,
                "the proxy \(proxy ?? "") before \(server) cannot be found; check http_proxy and https_proxy"
            )
        case CURLE_COULDNT_CONNECT: nothingAnswers
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            ConfigError(.insecure, "the certificate of \(server) is not trusted; check it, the host name and the clock")
        case CURLE_SSL_CONNECT_ERROR where Self.indicatesDisconnect(String(cString: errorText)):
            ConfigError(.unreachable, "\(peer) ended the connection before it was encrypted; try again later")
        case CURLE_SSL_CONNECT_ERROR:
            ConfigError(.insecure, "\(server) does not speak TLS as it should; check whether https is right")
        case CURLE_BAD_CONTENT_ENCODING:
            ConfigError(.badResponse, "what \(server) sends cannot be decompressed")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP2:
            ConfigError(.badResponse, "what answers at \(server) does not speak HTTP; check the port")
        default: ConfigError(.unreachable, "\(peer) ended the connection before its answer was complete")
        }
    }

    /// The server, or the proxy that may be to blame.
    private var peer: String { proxy.map { "\(server), or the proxy \($0) before it," } ?? server }

    /// Whether a handshake failed because the other side went away, by the words of the system, OpenSSL and GnuTLS;
    /// libcurl has no code of its own for it.
    static func indicatesDisconnect(_ text: String) -> Bool {
        let words = [
            "reset by peer", "broken pipe", "unexpected eof", "ssl_error_syscall", "non-properly terminated",
            "connection closed", "closed abruptly",
        ]
        let text = text.lowercased()
        return words.contains { text.contains($0) }
    }

    /// Where there is a proxy, libcurl has connected to nothing else.
    private var nothingAnswers: ConfigError {
        guard let proxy else {
            let advice = "check that the server runs and the address is right"
            return ConfigError(.unreachable, "nothing answers at \(server); \(advice)")
        }
        let advice = "check http_proxy and https_proxy, or name the server in no_proxy"
        return ConfigError(.unreachable, "the proxy \(proxy) before \(server) does not answer; \(advice)")
    }
}

/// Puts heads together from the lines that libcurl hands over one by one.
///
/// An answer may have several heads: interim ones (1xx) come before the one that counts. What follows that one are
/// trailers, which mean nothing here.
private struct HTTPHeadReader {
    let url: URL
    private var status: Int?
    private var fields: [(name: String, value: String)] = []

    init(url: URL) { self.url = url }

    /// - Returns: the head that ends with this line.
    mutating func read(_ line: some Collection<UInt8>) -> HTTPResponseHead? {
        let text = String(decoding: line, as: UTF8.self).prefix { $0 != "\r\n" && $0 != "\n" }
        if text.hasPrefix("HTTP/") {
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            fields = []
        } else if text.isEmpty {
            defer { status = nil }
            return status.map { HTTPResponseHead(status: $0, headers: HTTPHeaders(fields), url: url) }
        } else if status != nil {
            readField(text)
        }
        return nil
    }

    private mutating func readField(_ text: Substring) {
        let isContinued = text.first == " " || text.first == "\t"
        if isContinued, let last = fields.popLast() {
            fields.append((last.name, last.value + " " + text.trimmed))
        } else if let colon = text.firstIndex(of: ":") {
            fields.append((String(text[..<colon]), text[text.index(after: colon)...].trimmed))
        }
    }
}

/// What libcurl says about a failed transfer.
package struct CurlError: Error, Hashable, CustomStringConvertible {
    let code: Int
    let reason: String

    /// Whether nothing of the request can have reached the server.
    package var isBeforeRequest: Bool {
        let codes = [
            CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR,
        ]
        return codes.contains { Int($0.rawValue) == code }
    }

    package var description: String { "libcurl \(code): \(reason)" }
}
