package import ConfigModel

/// The events of a connection, one after the other. For one reader.
package struct ServerEvents {
    private let stream: HTTPStream
    private var parser = EventStreamParser()
    private var waiting: [ServerSentEvent] = []

    init(_ stream: HTTPStream) {
        self.stream = stream
    }

    /// The next event that this program knows; `nil` when the server has ended the connection.
    ///
    /// - Throws: `unreachable` when the connection breaks off or falls silent, `badResponse` for what is no event.
    package mutating func next() async throws(ConfigError) -> StreamEvent? {
        while true {
            while !waiting.isEmpty {
                let event = waiting.removeFirst()
                if let known = try StreamEvent(name: event.name, data: Array(event.data.utf8)) { return known }
            }
            guard let chunk = try await stream.next() else { return nil }
            waiting = try parser.events(in: chunk)
        }
    }
}
