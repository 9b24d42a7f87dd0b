internal import ConfigModel

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
