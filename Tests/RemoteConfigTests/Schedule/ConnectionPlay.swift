// SPDX-License-Identifier: Apache-2.0

import ConfigModel

@testable import RemoteConfig

/// A connection with its clock.
struct ConnectionPlay {
    var connection: ConnectionSchedule
    var now = Duration.zero

    init(
        _ delivery: SourceDelivery = .streamed(pollingEvery: .seconds(30)),
        policy: ConnectionPolicy = ConnectionPolicy(),
        jitter: Double = 0.5
    ) {
        let pauses = RetryDelays(policy: policy) { jitter }
        connection = ConnectionSchedule(for: delivery, pauses)
    }

    /// A stream that is up, and a state that has been read.
    static func live(jitter: Double = 0.5) -> ConnectionPlay {
        var play = ConnectionPlay(jitter: jitter)
        for input in [ConnectionSchedule.Input.started, .readSucceeded(), .streamOpened(1)] { play.happens(input) }
        return play
    }

    @discardableResult
    mutating func happens(
        _ input: ConnectionSchedule.Input,
        after pause: Duration = .zero
    ) -> [ConnectionSchedule.Action] {
        now += pause
        return connection.handle(input, at: now)
    }

    /// Advances the time until something is due.
    @discardableResult
    mutating func untilDeadline() -> [ConnectionSchedule.Action] {
        guard let deadline = connection.deadline else { return [] }
        now = max(now, deadline)
        return connection.handle(.timePassed, at: now)
    }

    /// The number of the stream that is open, or of the one that will be.
    var openNumber: Int { connection.stream.number ?? connection.stream.count + 1 }

    /// Lets a read in progress succeed.
    mutating func answerRead() {
        if connection.reads.isInFlight { happens(.readSucceeded()) }
    }

    /// The actions within a time.
    mutating func actions(within time: Duration) -> [ConnectionSchedule.Action] {
        let end = now + time
        var actions: [ConnectionSchedule.Action] = []
        while let deadline = connection.deadline, deadline <= end { actions += untilDeadline() }
        return actions
    }
}

extension ConnectionSchedule {
    /// The time until the stream is opened.
    func streamPause(at now: Duration) -> Duration? { stream.opening.map { $0 - now } }
}
