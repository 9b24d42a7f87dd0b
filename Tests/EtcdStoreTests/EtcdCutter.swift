// SPDX-License-Identifier: Apache-2.0

#if Etcd
    import Synchronization
    import TestSupport

    /// Stands before a member of etcd and cuts connections: before a request has reached the member, or when it has been
    /// done and the answer is on its way.
    final class EtcdCutter: Sendable {
        private let front: ScriptedServer
        private let chance: Chance

        /// - Parameters:
        ///   - target: the member's port.
        ///   - seed: where the chances begin.
        init(before target: Int, seed: UInt64) throws {
            let chance = Chance(seed: seed)
            self.chance = chance
            front = try ScriptedServer { connection, request in
                let cut = chance.draw()
                if cut == .before { return connection.reset() }
                let server = try WireConnection(port: target)
                let head = "POST \(request.target) HTTP/1.1\r\nhost: etcd\r\ncontent-type: application/json\r\n"
                server.send(head + "content-length: \(request.body.count)\r\n\r\n")
                server.send(request.body)
                let response = try server.response()
                chance.state.withLock { $0.answerBytes += response.body.count }
                if cut == .after { return connection.reset() }
                let status = response.status == 200 ? "200 OK" : "\(response.status) Refused"
                try connection.respond(status, ["content-type": "application/json"], body: response.body)
            }
        }

        /// The port on 127.0.0.1.
        var port: Int { front.port }

        /// The number of connections cut.
        var cuts: Int { chance.state.withLock(\.cuts) }

        /// The number of bytes in the member's responses.
        var answerBytes: Int { chance.state.withLock(\.answerBytes) }

        /// Cuts from now on.
        func begin() { chance.state.withLock { $0.isOn = true } }
    }

    /// The fate of the next request.
    private final class Chance: Sendable {
        enum Cut { case before, after }

        struct State {
            var random: SeededGenerator
            var isOn = false
            var cuts = 0
            var answerBytes = 0
        }

        let state: Mutex<State>

        init(seed: UInt64) { state = Mutex(State(random: SeededGenerator(seed: seed))) }

        func draw() -> Cut? {
            state.withLock { state in
                guard state.isOn, Int.random(in: 0..<3, using: &state.random) == 0 else { return nil }
                state.cuts += 1
                return Int.random(in: 0..<3, using: &state.random) == 0 ? .before : .after
            }
        }
    }
#endif
