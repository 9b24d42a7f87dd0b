internal import ConfigModel
internal import Foundation
internal import HTTPTransport

/// The requests to a Livery server, for those who follow a namespace and for those who edit it.
struct ServerRequests: Sendable {
    /// The server and the namespace.
    let address: ServerAddress
    let tokens: TokenProvider

    /// For what the namespace holds, or for what has changed since a cursor.
    ///
    /// - Parameter seen: what the caller has seen of the server's history; nothing older will do.
    func configuration(after cursor: Cursor?, seen: Cursor?) throws(ConfigError) -> HTTPRequest {
        let query: KeyValuePairs = [
            "epoch": cursor.map { $0.epoch.description }, "after": cursor.map { String($0.revision) },
        ]
        return try request(address.url("config", query: query), seen: seen)
    }

    /// For the server's events from a cursor on.
    func events(after cursor: Cursor?, seen: Cursor?) throws(ConfigError) -> HTTPRequest {
        var request = try request(address.url("events"), seen: seen)
        request.timeouts = .stream
        request.headers["Accept"] = "text/event-stream"
        request.headers["Cache-Control"] = "no-store"
        request.headers["Last-Event-ID"] = cursor?.description
        return request
    }

    /// For the JSON at an address of the server.
    func request(_ url: URL, seen: Cursor?) throws(ConfigError) -> HTTPRequest {
        var request = HTTPRequest(url: url, headers: ["Accept": "application/json"])
        request.authorization = try tokens.token()?.authorization
        request.headers[Cursor.fieldName] = seen?.description
        request.allowedSize = AnnouncedSize.stated(in:)
        return request
    }
}

/// How large a server says that a state of a namespace can be, in bytes of JSON.
enum AnnouncedSize {
    /// The most that a server is believed.
    private static let ceiling = 1 << 30

    /// What a server says, up to the ceiling; `nil` if it says nothing.
    static func stated(in headers: HTTPHeaders) -> Int? {
        guard let text = headers["livery-max-size"], !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return min(Int(text) ?? ceiling, ceiling)
    }
}

extension HTTPResponseHead {
    /// Checks that the answer is a Livery server's. A captive portal answers everything with a page of its own, and with 200.
    ///
    /// - Parameters:
    ///   - type: the media type that is expected.
    ///   - body: the body of the answer, if its problem details are to count.
    func check(isOf type: String, body: [UInt8] = []) throws(ConfigError) {
        if let problem = problem(body: body) { throw problem }
        let found = headers["Content-Type"]?.split(separator: ";").first.map(String.init) ?? ""
        guard found.lowercased().trimmingCharacters(in: .whitespaces) == type else {
            let server = Origin(url)?.name ?? "this"
            let advice = "check the address, and whether the network requires a login"
            throw ConfigError(.badResponse, "\(server) is not a Livery server; \(advice)")
        }
    }
}
