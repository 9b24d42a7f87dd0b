// SPDX-License-Identifier: Apache-2.0

#if Etcd
    import TestSupport

    /// Stands before a member of etcd and cuts connections: before a request has reached the member, or after it was
    /// executed, while the answer is on its way.
    final class EtcdCutter: Sendable {
        private enum Cut { case before, after }

        private let front: ScriptedServer
        private let chances: Chances<Cut>
        private let sizes: Log<Int>

        /// - Parameters:
        ///   - target: the member's port.
        ///   - seed: the seed of the random numbers.
        init(before target: Int, seed: UInt64) throws {
            let (chances, sizes) = (Chances<Cut>(seed: seed, oneOf: 3, isOn: false), Log<Int>())
            (self.chances, self.sizes) = (chances, sizes)
            front = try ScriptedServer { connection, request in
                let cut = chances.draw(of: [.before, .after, .after])
                if cut == .before { return connection.reset() }
                let server = try WireConnection(port: target)
                let head = "POST \(request.target) HTTP/1.1\r\nhost: etcd\r\ncontent-type: application/json\r\n"
                server.send(head + "content-length: \(request.body.count)\r\n\r\n")
                server.send(request.body)
                let response = try server.response()
                sizes.append(response.body.count)
                if cut == .after { return connection.reset() }
                let status = response.status == 200 ? "200 OK" : "\(response.status) Refused"
                try connection.respond(status, ["content-type": "application/json"], body: response.body)
            }
        }

        /// The port on 127.0.0.1.
        var port: Int { front.port }

        /// The number of connections cut.
        var cuts: Int { chances.counts.values.reduce(0, +) }

        /// The number of bytes in the member's responses.
        var answerBytes: Int { sizes.entries.reduce(0, +) }

        /// Cuts from now on.
        func begin() { chances.begin() }
    }
#endif
