internal import ConfigModel
internal import Foundation
internal import HTTPTransport

/// Requests for a JSON document at a web address, which may be on any host.
struct DocumentRequests: Sendable {
    private let url: URL
    private let tokens: TokenProvider
    private let transport: any Transport
    private let timeouts: HTTPTimeouts
    /// The address without its query, in which there may be secrets.
    let name: String
    /// The whole address without its fragment.
    let identity: String

    init(url: URL, tokens: TokenProvider, transport: any Transport, timeouts: HTTPTimeouts = .document) {
        self.url = url
        self.tokens = tokens
        self.transport = transport
        self.timeouts = timeouts
        let text = url.absoluteString
        name = String(text.prefix { $0 != "?" && $0 != "#" })
        identity = String(text.prefix { $0 != "#" })
    }

    /// Asks for the document, under conditions.
    func response(if conditions: HTTPHeaders) async throws(ConfigError) -> HTTPResponse {
        var request = HTTPRequest(url: url, headers: conditions, timeouts: timeouts)
        request.authorization = try tokens.token()?.authorization
        request.headers["Accept"] = "application/json, */*;q=0.5"
        return try await transport.response(to: request)
    }
}

extension HTTPResponse {
    /// The body, if the status and the type are those of a JSON document; what it says has not been looked at.
    ///
    /// - Throws: what the status means; `badResponse` if something else than JSON is there, such as a page.
    func json() throws(ConfigError) -> [UInt8] {
        if let problem = head.problem(isDocument: true) { throw problem }
        guard status == 200 || status == 203 else {
            throw ConfigError(.badResponse, "the server sends no document (status \(status)); check the address")
        }
        let type = MediaType(headers["Content-Type"])
        if type == .hypertext || body.beginsLikeHypertext {
            let hint = "a network that wants you to log in does this, or the address is that of a page"
            throw ConfigError(.badResponse, "there is a web page instead of JSON; \(hint)")
        }
        guard type == .acceptable else {
            let shown = headers["Content-Type"] ?? ""
            throw ConfigError(.badResponse, "the server sends \(shown) instead of application/json; check the address")
        }
        return body
    }
}

/// What a content type promises, as far as it matters here. Static hosts serve JSON as many things.
private enum MediaType {
    case acceptable, hypertext, other

    init(_ contentType: String?) {
        let type = (contentType ?? "").prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
        switch type {
        case "", "application/json", "text/json", "text/plain", "application/octet-stream", "binary/octet-stream":
            self = .acceptable
        case "text/html", "application/xhtml+xml":
            self = .hypertext
        default:
            self = type.hasSuffix("+json") ? .acceptable : .other
        }
    }
}

extension [UInt8] {
    /// Whether the first visible character is that of a tag, as in no JSON.
    fileprivate var beginsLikeHypertext: Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = starts(with: mark) ? dropFirst(mark.count) : self[...]
        return text.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
    }
}
