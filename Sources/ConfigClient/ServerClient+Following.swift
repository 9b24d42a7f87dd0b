// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigWire
internal import HTTPTransport

/// The news of a server's stream of events.
package enum StreamNews: Sendable {
    case received(bytes: Int)
    /// The server's interval before the next connection.
    case retry(after: Duration)
    case event(StreamEvent)
}

// Following the namespace, with nothing older than `seen`.
extension ServerClient {
    /// Reads the changes since a cursor, or the whole state; with the number of bytes received.
    package func configuration(
        after cursor: RevisionCursor?,
        seen: RevisionCursor?
    ) async throws(ConfigError) -> (answer: ConfigAnswer, bytes: Int) {
        let response = try await transport.response(to: configurationRequest(after: cursor, seen: seen))
        do throws(ConfigError) {
            // The end of a draft is described in words alone.
            if address.draft != nil, let problem = response.head.problem(body: response.body) { throw problem }
            try response.head.check(isOf: "application/json")
            return (try ConfigAnswer(json: response.body), response.receivedBytes)
        } catch {
            throw error.counting(bytes: response.receivedBytes)
        }
    }

    /// Delivers the server's events from a cursor on, until the stream ends.
    package func follow(
        after cursor: RevisionCursor?,
        seen: RevisionCursor?,
        _ receive: (StreamNews) async -> Void
    ) async throws(ConfigError) {
        var request = request(address.draft == nil ? .events : .draftEvents, named: address.draft, seen: seen)
        request.timeouts = .stream
        request.headers["Accept"] = "text/event-stream"
        request.headers["Cache-Control"] = "no-store"
        request.headers["Last-Event-ID"] = cursor?.description
        let stream = try await transport.stream(request)
        try stream.head.check(isOf: "text/event-stream")
        let largest = max(EventStreamParser.usualMaximum, AnnouncedSize.stated(in: stream.head.headers) ?? 0)
        var parser = EventStreamParser(maximumBytes: largest)
        var retry: Duration?
        while let bytes = try await ConfigError.catching(awaiting: try await stream.next()) {
            await receive(.received(bytes: bytes.count))
            let events = try ConfigError.catching(try parser.events(in: bytes))
            if let pause = parser.retry, pause != retry {
                retry = pause
                await receive(.retry(after: pause))
            }
            for event in events {
                // An event that only newer programs know changes nothing for this one.
                if let event = try StreamEvent(name: event.name, data: Array(event.data.utf8)) {
                    await receive(.event(event))
                }
            }
        }
    }
}
