// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An HTTP proxy on this machine, through which every name leads to this machine: by `CONNECT` and by whole addresses.
package final class ForwardProxy: Sendable {
    private let front: ScriptedServer

    /// Starts a proxy.
    ///
    /// - Parameter login: name and password, as in `me:secret`; `nil` for an open proxy.
    package init(login: String? = nil) throws {
        let expected = login.map { "Basic " + Data($0.utf8).base64EncodedString() }
        front = try ScriptedServer { connection, request in
            guard expected == nil || request["proxy-authorization"] == expected else {
                return try connection.respond("407 Login Required", ["Proxy-Authenticate": "Basic realm=\"x\""], "")
            }
            try ForwardRelay(client: connection).pass(request)
        }
    }

    /// The port on 127.0.0.1.
    package var port: Int { front.port }

    /// The received requests. Those within a `CONNECT` tunnel are not seen.
    package var requests: [ScriptedRequest] { front.requests }

    /// Closes everything.
    package func stop() { front.stop() }
}

private struct ForwardRelay {
    let client: ScriptedConnection

    func pass(_ request: ScriptedRequest) throws {
        let isTunnel = request.method == "CONNECT"
        let address = isTunnel ? "http://\(request.target)" : request.target
        guard let url = URL(string: address), let port = url.port else {
            return try client.respond("400 Bad Request", [:], "")
        }
        let server = try OwnedDescriptor.connected(to: port)
        if isTunnel {
            try client.send("HTTP/1.1 200 Connection Established\r\n\r\n")
        } else {
            let path = (url.path.isEmpty ? "/" : url.path) + (url.query.map { "?\($0)" } ?? "")
            let kept = request.fields.filter { !$0.name.hasPrefix("proxy-") && $0.name != "connection" }
            let lines = kept.map { "\($0.name): \($0.value)\r\n" }.joined()
            try server.sendAll(Array("\(request.method) \(path) HTTP/1.1\r\n\(lines)connection: close\r\n\r\n".utf8))
            try server.sendAll(request.body)
        }
        Thread.detachNewThread { [client] in
            while let bytes = server.receive(), (try? client.send(bytes)) != nil {}
            client.close()
        }
        while let bytes = client.receive(), (try? server.sendAll(bytes)) != nil {}
        server.shutDown()
    }
}
