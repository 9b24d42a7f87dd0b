// SPDX-License-Identifier: Apache-2.0

/// A proxy in front of a server on this machine that harms what passes: answers to `GET`, and streams of events one
/// event at a time.
///
/// ```swift
/// let proxy = try FaultyProxy(before: server.port, seed: 7)
/// // … clients that ask http://127.0.0.1:(proxy.port) …
/// proxy.behave()
/// ```
package final class FaultyProxy: Sendable {
    private let front: ScriptedServer
    private let mischief: Mischief

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - target: the server's port.
    ///   - seed: the seed of the random numbers.
    ///   - share: one of so many answers and events is harmed.
    package init(before target: Int, seed: UInt64, oneOf share: Int) throws {
        let mischief = Mischief(seed: seed, oneOf: share)
        self.mischief = mischief
        front = try ScriptedServer { connection, request in
            let relay = FaultyRelay(client: connection, mischief: mischief)
            try relay.pass(request, to: try WireConnection(port: target))
        }
    }

    /// The port on 127.0.0.1.
    package var port: Int { front.port }

    /// Harms nothing from now on.
    package func behave() { mischief.chances.end() }

    /// The number of errors of each kind.
    package var counts: [Mischief.Fault: Int] { mischief.chances.counts }
}

/// Passes one request on, and the answer back.
private struct FaultyRelay {
    let client: ScriptedConnection
    let mischief: Mischief

    func pass(_ request: ScriptedRequest, to server: WireConnection) throws {
        let kept = request.fields.filter { !["connection", "host"].contains($0.name) }
        let lines = kept.map { "\($0.name): \($0.value)\r\n" }.joined()
        server.send(Array("\(request.method) \(request.target) HTTP/1.1\r\nhost: localhost\r\n\(lines)\r\n".utf8))
        server.send(request.body)
        let response = try server.response()
        if response["content-type"]?.hasPrefix("text/event-stream") == true {
            try client.send(response.head)
            try passEvents(from: server)
        } else {
            try pass(Array(response.head.utf8) + response.body, of: .answer)
        }
    }

    private func passEvents(from server: WireConnection) throws {
        var held: [[UInt8]] = []
        while let chunk = try server.chunk(within: 120) {
            for event in chunk.events() {
                switch try pass(event, of: .event) {
                case .cut, .truncated: return
                case .reordered: held.append(event)
                default:
                    for event in held { try send(event, of: .event) }
                    held = []
                }
            }
        }
        try client.send("0\r\n\r\n")
        client.close()
    }

    /// Passes an answer or an event, but for one to be reordered, and returns what was done to it.
    @discardableResult
    private func pass(_ bytes: [UInt8], of kind: Mischief.Kind) throws -> Mischief.Fault? {
        let (fault, older) = mischief.fault(for: bytes, of: kind)
        let place = mischief.place(in: bytes)
        switch fault {
        case .cut:
            try send(bytes.prefix(place), of: kind)
            client.reset()
        case .truncated:
            try send(bytes.prefix(place), of: kind)
            if kind == .event { try client.send("0\r\n\r\n") }
            client.close()
        case .delayed:
            mischief.dawdle()
            try send(bytes, of: kind)
        case .split:
            try send(bytes.prefix(place), of: kind)
            mischief.dawdle()
            try send(bytes.dropFirst(place), of: kind)
        case .repeated:
            try send(bytes, of: kind)
            try send(bytes, of: kind)
        case .replayed:
            if kind == .event { try send(bytes, of: kind) }
            try send(older ?? bytes, of: kind)
        case .lost, .reordered: break
        case nil: try send(bytes, of: kind)
        }
        return fault
    }

    /// Sends bytes of an answer as they are, and those of an event as a chunk.
    private func send(_ bytes: some Collection<UInt8>, of kind: Mischief.Kind) throws {
        if kind == .answer { return try client.send(bytes) }
        if bytes.isEmpty { return }
        try client.send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
    }
}

extension WireResponse {
    /// The line of the status and the fields, as a proxy passes them on.
    fileprivate var head: String {
        "HTTP/1.1 \(status) As It Was\r\n" + fields.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
    }
}

extension [UInt8] {
    /// The events in a piece of a stream, each with the empty line at its end.
    fileprivate func events() -> [[UInt8]] {
        var events: [[UInt8]] = []
        var start = 0
        for index in indices.dropFirst() where self[index] == 0x0A && self[index - 1] == 0x0A {
            events.append(Array(self[start...index]))
            start = index + 1
        }
        if start < count { events.append(Array(self[start...])) }
        return events
    }
}
