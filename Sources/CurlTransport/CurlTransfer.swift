// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import CCurl
internal import Essentials
internal import HTTPTransport

/// A request in libcurl's hands. It stays on the loop's thread.
final class CurlTransfer {
    let handle: UnsafeMutableRawPointer
    let exchange: HTTPExchange
    private(set) var isPaused = false
    private let fields: UnsafeMutablePointer<curl_slist>?
    /// Host and port, for messages.
    let server: String
    let route: CurlRoute
    /// The error that prevents the start.
    private(set) var unsupportedReason: OperationFailure?
    private var head: HTTPHeadReader
    private var body = BodyState()
    /// The buffer for libcurl's error message, terminated by a zero.
    private let errorText: UnsafeMutablePointer<CChar>

    /// - Returns: `nil` if there is too little memory.
    init?(_ request: HTTPRequest, by route: CurlRoute, _ exchange: HTTPExchange) {
        guard let handle = livery_curl_easy_init() else { return nil }
        self.handle = handle
        self.exchange = exchange
        server = Origin(request.url)?.name ?? ""
        self.route = route
        head = HTTPHeadReader(url: request.url)
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        fields = Self.lines(of: request, route.settings).reduce(nil) { livery_curl_slist_append($0, $1) }
        configure(for: request)
        unsupportedReason = apply(route.settings, to: Origin(request.url))
    }

    private static func lines(of request: HTTPRequest, _ settings: TransportSettings) -> [String] {
        let headers = request.fields(by: settings, canDecompress: ContentDecoder.isAvailable)
        var lines = headers.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        // Fields that libcurl would add by itself.
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
        if let body = request.body ?? (["GET", "HEAD", "DELETE"].contains(request.method) ? nil : []) {
            body.withUnsafeBytes {
                _ = livery_curl_set_body(handle, $0.baseAddress ?? UnsafeRawPointer(handle), curl_off_t($0.count))
            }
        }
        livery_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
        // On a reused connection, libcurl repeats a request that ended without a response, and the request would be executed
        // twice.
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
        // Set once in `configure`, and alive for as long as the loop retains the handle.
        Unmanaged<CurlTransfer>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
    }

    private func received(line: UnsafeRawBufferPointer) -> Int {
        guard let head = head.read(line) else { return line.count }
        if head.status >= 200 {
            do throws(ContentDecoder.Damage) {
                body.decoder = try ContentDecoder.decoder(of: head.headers["Content-Encoding"])
            } catch {
                body.damage = error
            }
            body.isOfSuccess = (200..<300).contains(head.status)
        }
        exchange.received(head, in: receivedBytes)
        return line.count
    }

    private func received(body bytes: UnsafeRawBufferPointer) -> Int {
        if let damage = body.damage { return refuse(damage) }
        guard let decoder = body.decoder else { return answer(to: exchange.received(bytes, in: receivedBytes), bytes) }
        // After a pause libcurl shows the same bytes, of which some have been decoded.
        while body.consumed < bytes.count || !body.pending.isEmpty {
            if body.pending.isEmpty {
                do throws(ContentDecoder.Damage) {
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[body.consumed...])
                    let (consumed, piece) = try decoder.decode(rest)
                    (body.consumed, body.pending) = (body.consumed + consumed, piece)
                } catch {
                    return refuse(error)
                }
            }
            guard !body.pending.isEmpty else { continue }
            let verdict = exchange.received(body.pending, in: receivedBytes)
            guard verdict == .taken else { return answer(to: verdict, bytes) }
            body.pending = []
        }
        body.consumed -= bytes.count
        return bytes.count
    }

    private func answer(to verdict: HTTPProgress.Verdict, _ bytes: UnsafeRawBufferPointer) -> Int {
        switch verdict {
        case .taken: return bytes.count
        case .refused: return 0
        case .later:
            isPaused = true
            return livery_curl_pause()
        }
    }

    /// Ends the answer. Outside 2xx the status has its meaning without the body, which counts as empty.
    private func refuse(_ damage: ContentDecoder.Damage) -> Int {
        exchange.end(body.isOfSuccess ? .failure(failure(of: damage)) : .success(()), after: receivedBytes)
        return 0
    }

    /// The number of bytes received, before decompression.
    private var receivedBytes: Int { Int(livery_curl_received(handle)) }

    func resume() {
        isPaused = false
        livery_curl_easy_resume(handle)
    }

    /// Removes the transfer from the loop and frees it. It must not be used after this.
    func finish(on multi: UnsafeMutableRawPointer, _ outcome: Result<Void, OperationFailure>) {
        let received = receivedBytes
        livery_curl_multi_remove(multi, handle)
        livery_curl_easy_cleanup(handle)
        livery_curl_slist_free_all(fields)
        errorText.deallocate()
        exchange.end(outcome, after: received)
    }

    func outcome(of code: CURLcode) -> Result<Void, OperationFailure> {
        if code == CURLE_OK {
            let isWhole = body.decoder?.isAtEnd ?? true
            return isWhole || !body.isOfSuccess ? .success(()) : .failure(failure(of: ContentDecoder.Damage()))
        }
        var error = failure(code)
        let reason = String(cString: livery_curl_easy_strerror(code))
        error.underlying = TransportError(
            "libcurl \(code.rawValue): \(reason)",
            isBeforeRequest: Self.codesBeforeRequest.contains(code.rawValue)
        )
        return .failure(error)
    }

    private static let codesBeforeRequest = [
        CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR,
    ].map(\.rawValue)

    /// libcurl's error message, in lower case.
    var wordsOfError: String { String(cString: errorText).lowercased() }
}

/// The progress of decoding a body.
private struct BodyState {
    var decoder: ContentDecoder?
    /// The error because of which the body cannot be decoded.
    var damage: ContentDecoder.Damage?
    /// Whether the status is 2xx.
    var isOfSuccess = false
    /// The number of bytes of libcurl's buffer that were decoded before a pause.
    var consumed = 0
    /// The decoded bytes that are not taken yet.
    var pending: [UInt8] = []
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
        // By bytes: to Swift, a colon and a combining mark after it are one character.
        var text = Array(line)[...]
        if text.last == UInt8(ascii: "\n") { text.removeLast() }
        if text.last == UInt8(ascii: "\r") { text.removeLast() }
        if text.starts(with: "HTTP/".utf8) {
            let code = text.split(separator: UInt8(ascii: " ")).dropFirst().first
            status = code.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
            fields = []
        } else if text.isEmpty {
            defer { status = nil }
            return status.map { HTTPResponseHead(status: $0, headers: HTTPHeaders(fields), url: url) }
        } else if status != nil {
            readField(text)
        }
        return nil
    }

    private mutating func readField(_ text: ArraySlice<UInt8>) {
        if text.first.map(Self.isSpace) == true, let last = fields.popLast() {
            fields.append((last.name, last.value + " " + Self.value(text)))
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            fields.append((String(decoding: text[..<colon], as: UTF8.self), Self.value(text[(colon + 1)...])))
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// The value of a field without the spaces around it (RFC 9110, section 5.5).
    private static func value(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
