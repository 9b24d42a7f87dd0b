internal import NIOHTTP1

/// The fields of a request's head about its host, its origin and its framing, read in one pass.
struct RequestFraming {
    /// The value of `Host`; the first if there are several.
    private(set) var host: String?
    /// Whether there are several `Host` fields.
    private(set) var hasSeveralHosts = false
    /// The value of `Content-Length`.
    private(set) var contentLength: String?
    /// The transfer codings in their order, in lower case.
    private(set) var transferCodings: [Substring] = []
    /// The value of `Origin`; if there are several, a text that is not an origin.
    private(set) var origin: String?
    /// The value of `Sec-Fetch-Site`.
    private(set) var fetchSite: String?
    /// The value of `Expect`.
    private(set) var expectation: String?
    /// The largest field, in bytes of its name and value.
    private(set) var largestField = 0
    private var hasUpgrade = false
    private var isConnect = false

    init(_ head: HTTPRequestHead) {
        if case .CONNECT = head.method { isConnect = true }
        for (name, value) in head.headers {
            largestField = max(largestField, name.utf8.count + value.utf8.count)
            switch name.utf8.count {
            case 4 where name.isField("host"): (host, hasSeveralHosts) = (host ?? value, host != nil)
            case 6 where name.isField("expect"): expectation = value.lowercased()
            case 6 where name.isField("origin"): origin = origin.map { "\($0), \(value)" } ?? value
            case 7 where name.isField("upgrade"): hasUpgrade = true
            case 14 where name.isField("content-length"): contentLength = value
            case 14 where name.isField("sec-fetch-site"): fetchSite = value
            case 17 where name.isField("transfer-encoding"):
                let codings = value.lowercased().split(separator: ",", omittingEmptySubsequences: false)
                transferCodings += codings.map(trimmed)
            default: break
            }
        }
    }

    /// Whether the decoder reads nothing behind this request, because it expects another protocol there.
    ///
    /// The server never upgrades, so the connection has to end with the answer.
    var endsDecoding: Bool { hasUpgrade || isConnect }

    /// Whether the client waits for `100 Continue` before it sends the body.
    func awaitsContinue(_ version: HTTPVersion) -> Bool {
        guard version.minor > 0, expectation == "100-continue" else { return false }
        return !transferCodings.isEmpty || contentLength.map { $0 != "0" } ?? false
    }
}

extension String {
    /// Whether this is the name of a field, in any case.
    ///
    /// - Parameter name: in lower case, and as long.
    func isField(_ name: StaticString) -> Bool {
        var index = 0
        for byte in utf8 {
            // Setting this bit makes letters lowercase, and makes nothing else a letter or a hyphen of a field's name.
            if byte | 0x20 != name.utf8Start[index] { return false }
            index += 1
        }
        return true
    }
}

private func trimmed(_ text: Substring) -> Substring {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let rest = text.drop(while: isSpace)
    guard let last = rest.lastIndex(where: { !isSpace($0) }) else { return "" }
    return rest[...last]
}
