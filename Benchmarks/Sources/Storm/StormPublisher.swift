// SPDX-License-Identifier: Apache-2.0

import ConfigClient
import ConfigModel
import ConfigWire
import TestSupport

/// Publishes a value every 100 ms, to one server after another.
struct StormPublisher {
    struct Result {
        var failures = 0
        /// How long the publishes took that succeeded.
        var delays: [Duration] = []
    }

    private let servers: [ServerClient]
    private let crowd: StormCrowd.Handle
    private let endsEarly: Bool
    private let isEnding = Box(false)

    /// - Parameter endsEarly: whether one success is enough.
    init(_ servers: [ServerClient], _ crowd: StormCrowd.Handle, endsEarly: Bool) {
        (self.servers, self.crowd, self.endsEarly) = (servers, crowd, endsEarly)
    }

    static func publish(_ value: String, to server: ServerClient) async throws -> RevisionCursor {
        try await server.publish(PublishRequest(set: ["storm.value": .string(value)])).cursor
    }

    /// Ends ``run()`` after the publish in progress.
    func end() { isEnding.value = true }

    /// Publishes until ``end()``.
    func run() async -> Result {
        var result = Result()
        let start = ContinuousClock.now
        var next = start
        var number = 0
        while !isEnding.value {
            let begin = ContinuousClock.now
            do {
                let cursor = try await Self.publish("\(number)", to: servers[number % servers.count])
                result.delays.append(.now - begin)
                try await crowd.published(cursor)
                if endsEarly { break }
            } catch {
                result.failures += 1
                progress(
                    "    publish \(number) failed after \((ContinuousClock.now - start).milliseconds.text(0)) ms: \(error)"
                )
            }
            number += 1
            next += .milliseconds(100)
            try? await ContinuousClock().sleep(until: next)
        }
        return result
    }
}
