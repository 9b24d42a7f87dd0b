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
            try pass(response)
        }
    }

    private func pass(_ response: WireResponse) throws {
        let (fault, older) = mischief.fault(for: response)
        let bytes = response.bytes
        switch fault {
        case .cut:
            try client.send(bytes.prefix(mischief.place(in: bytes)))
            client.reset()
        case .truncated:
            try client.send(bytes.prefix(mischief.place(in: bytes)))
            client.close()
        case .delayed:
            mischief.dawdle()
            try client.send(bytes)
        case .split:
            let place = mischief.place(in: bytes)
            try client.send(bytes.prefix(place))
            mischief.dawdle()
            try client.send(bytes.dropFirst(place))
        case .replayed: try client.send((older ?? response).bytes)
        case .repeated, .reordered, .lost, nil: try client.send(bytes)
        }
    }

    private func passEvents(from server: WireConnection) throws {
        var held: [[UInt8]] = []
        while let chunk = try server.chunk(within: 120) {
            for event in chunk.events() {
                let (fault, older) = mischief.fault(for: event)
                if fault == .reordered {
                    held.append(event)
                    continue
                }
                try pass(event, fault, older)
                for event in held { try sendChunk(event) }
                held = []
                if fault == .cut || fault == .truncated { return }
            }
        }
        try client.send("0\r\n\r\n")
        client.close()
    }

    private func pass(_ event: [UInt8], _ fault: Mischief.Fault?, _ older: [UInt8]?) throws {
        let place = mischief.place(in: event)
        switch fault {
        case .cut:
            try sendChunk(event.prefix(place))
            client.reset()
        case .truncated:
            try sendChunk(event.prefix(place))
            try client.send("0\r\n\r\n")
            client.close()
        case .delayed:
            mischief.dawdle()
            try sendChunk(event)
        case .split:
            try sendChunk(event.prefix(place))
            mischief.dawdle()
            try sendChunk(event.dropFirst(place))
        case .repeated:
            try sendChunk(event)
            try sendChunk(event)
        case .replayed:
            try sendChunk(event)
            try sendChunk(older ?? event)
        case .lost: break
        case .reordered, nil: try sendChunk(event)
        }
    }

    private func sendChunk(_ bytes: some Collection<UInt8>) throws {
        if bytes.isEmpty { return }
        try client.send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
    }
}

extension WireResponse {
    /// The line of the status and the fields, as a proxy passes them on.
    fileprivate var head: String {
        "HTTP/1.1 \(status) As It Was\r\n" + fields.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
    }

    fileprivate var bytes: [UInt8] { Array(head.utf8) + body }
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
