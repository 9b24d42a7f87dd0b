internal import ConfigModel
internal import Foundation

/// Where an answer sends a request on to.
enum RedirectRule {
    /// As many redirects as are followed.
    static let maximum = 5

    /// The request to make next; `nil` if the answer is the final one.
    ///
    /// The method stays what it is, so redirects of other methods than GET and HEAD are followed only where that is
    /// what the status means (307 and 308). A token goes to no other origin.
    ///
    /// - Parameter count: how many redirects came before.
    /// - Throws: `badResponse` for a loop or a redirect to nowhere, `insecure` for one that gives up encryption.
    static func next(
        after head: HTTPResponseHead,
        to request: HTTPRequest,
        count: Int
    ) throws(ConfigError) -> HTTPRequest? {
        let isRead = ["GET", "HEAD"].contains(request.method)
        switch head.status {
        case 307, 308: break
        case 301...303: guard isRead else { return nil }
        default: return nil
        }
        guard let from = Origin(request.url), let location = head.headers["Location"] else { return nil }
        guard count < maximum else {
            throw ConfigError(.badResponse, "\(from.name) redirects again and again; check the address")
        }
        guard let url = URL(string: location, relativeTo: request.url)?.absoluteURL, let to = Origin(url) else {
            throw ConfigError(.badResponse, "\(from.name) redirects to what is no web address")
        }
        guard to.isEncrypted || !from.isEncrypted else {
            let message = "\(from.name) redirects to \(to.name) without encryption; that is not followed"
            throw ConfigError(.insecure, message)
        }
        var next = request
        next.url = url
        if to != from { next.authorization = nil }
        return next
    }
}
