// SPDX-License-Identifier: Apache-2.0

/// Sends requests to a server on this machine one at a time, each on a separate connection.
///
/// It blocks, so use it on a separate thread (``onDedicatedThread(_:)``).
package struct WireClient: WireServer, Sendable {
    /// The server's port on 127.0.0.1.
    package let port: Int

    package init(port: Int) {
        self.port = port
    }

    /// A connection before its first request.
    package func connection() throws -> WireConnection { try WireConnection(port: port) }

    /// The text of a request.
    package static func request(
        _ method: String,
        _ target: String,
        _ fields: [String] = [],
        body: String? = nil,
        token: String? = nil
    ) -> String {
        let namesHost = fields.contains { $0.lowercased().hasPrefix("host:") }
        var lines = ["\(method) \(target) HTTP/1.1"] + (namesHost ? [] : ["Host: localhost"]) + fields
        if let token { lines.append("Authorization: Bearer \(token)") }
        if let body {
            lines.append("Content-Length: \(body.utf8.count)")
            if !fields.contains(where: { $0.lowercased().hasPrefix("content-type") }) {
                lines.append("Content-Type: application/json")
            }
        }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }
}

/// A server on a port of this machine.
package protocol WireServer {
    /// The port.
    var port: Int { get }
}

extension WireServer {
    /// Sends a request, and waits for the response.
    ///
    /// - Parameters:
    ///   - method: such as `GET`.
    ///   - target: the path, with its query.
    ///   - fields: whole lines of the head, such as `Accept: text/plain`; `Host` is `localhost` unless it is one of them.
    ///   - body: JSON, unless the fields have another `Content-Type`.
    ///   - token: what to show.
    package func ask(
        _ method: String,
        _ target: String,
        _ fields: [String] = [],
        body: String? = nil,
        token: String? = nil
    ) throws -> WireResponse {
        let connection = try WireConnection(port: port)
        connection.send(WireClient.request(method, target, fields, body: body, token: token))
        return try connection.response(hasBody: method != "HEAD")
    }
}
