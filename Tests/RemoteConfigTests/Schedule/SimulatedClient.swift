// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Synchronization
import TestSupport

@testable import RemoteConfig

/// A connection to a simulated server that answers at once, on a simulated clock.
struct SimulatedClient {
    /// The response to opening a stream.
    enum Opening {
        case opens
        case fails(ConfigError?)
    }

    private(set) var connection: ConnectionSchedule
    private(set) var now = Duration.zero
    /// The start times of reads.
    private(set) var reads: [Duration] = []
    /// The opening times of streams.
    private(set) var openings: [Duration] = []
    private var openStream: Int?
    private var nextBeat = Duration.zero

    /// The result of a read.
    var reading: Result<Duration?, ConfigError> = .success(nil)
    var opening = Opening.opens
    /// Whether each heartbeat of a stream contradicts the state.
    var isContradicted = false

    /// - Parameter seed: the seed of this client's random numbers.
    init(hasStream: Bool = true, seed: UInt64) {
        let dice = Dice(seed)
        let delivery = hasStream ? SourceDelivery.streamed(pollingEvery: .seconds(30)) : .polled(every: .seconds(30))
        connection = ConnectionSchedule(for: delivery, RetryDelays(policy: ConnectionPolicy()) { dice.roll() })
    }

    /// Clients that differ only in their random numbers.
    static func fleet(
        of count: Int = 40,
        hasStream: Bool = true,
        _ play: (inout SimulatedClient) -> Void
    ) -> [SimulatedClient] {
        (0..<UInt64(count)).map { seed in
            var client = SimulatedClient(hasStream: hasStream, seed: seed)
            play(&client)
            return client
        }
    }

    /// Advances the time.
    mutating func run(for time: Duration) {
        let end = now + time
        while true {
            let beat = openStream == nil ? nil : nextBeat
            guard let next = [connection.deadline, beat].compactMap(\.self).min(), next <= end else { break }
            now = max(now, next)
            if let openStream, let beat, beat <= now {
                nextBeat = now + .seconds(10)
                happens(.streamAlive(openStream))
                if isContradicted { happens(.readNeeded) }
            } else {
                happens(.timePassed)
            }
        }
        now = end
    }

    mutating func happens(_ input: ConnectionSchedule.Input) {
        var inputs = [input]
        while !inputs.isEmpty {
            for action in connection.handle(inputs.removeFirst(), at: now) {
                switch action {
                case .read:
                    reads.append(now)
                    inputs.append(answer)
                case .openStream(let number):
                    openings.append(now)
                    inputs.append(begin(number))
                case .closeStream: openStream = nil
                }
            }
        }
    }

    /// Ends the stream, as a server does that ends.
    mutating func cut() {
        guard let number = openStream else { return }
        openStream = nil
        happens(.streamEnded(number, nil))
    }

    private var answer: ConnectionSchedule.Input {
        switch reading {
        case .success(let interval): .readSucceeded(nextReadAfter: interval)
        case .failure(let error): .readFailed(error)
        }
    }

    private mutating func begin(_ number: Int) -> ConnectionSchedule.Input {
        switch opening {
        case .opens:
            (openStream, nextBeat) = (number, now + .seconds(10))
            return .streamOpened(number)
        case .fails(let error): return .streamEnded(number, error)
        }
    }
}

/// Random numbers that can be repeated.
final class Dice: Sendable {
    private let generator: Mutex<SeededGenerator>

    init(_ seed: UInt64) {
        generator = Mutex(SeededGenerator(seed: seed))
    }

    func roll() -> Double { generator.withLock { .random(in: 0..<1, using: &$0) } }
}
