// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

@testable import RemoteConfig

/// The invariants for any events in any order, whenever pending work ends.
struct ConnectionModelTests {
    /// The work in progress around a connection, and randomness.
    private struct Course {
        var connection: ConnectionSchedule
        var random: SeededGenerator
        var now = Duration.zero
        var isReading = false
        var openStream: Int?
        var highest = 0
        /// No request may begin before this.
        var quietUntil = Duration.zero
        /// No stream may be opened before this.
        var streamQuietUntil = Duration.zero

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            let jitter = Double(seed % 10) / 10
            let hurried = ConnectionPolicy(
                pollingInterval: .seconds(7),
                minimumFetchInterval: .seconds(60),
                heartbeatTimeout: .seconds(15),
                backoff: .seconds(1)...(.seconds(4)),
                backoffAfterRefusal: .seconds(1)...(.seconds(9))
            )
            let policy = seed % 3 == 0 ? hurried : ConnectionPolicy()
            let delivery = [
                SourceDelivery.polled(every: .seconds(30)), .streamed(pollingEvery: .seconds(30)),
            ][seed % 4 == 0 ? 0 : 1]
            connection = ConnectionSchedule(for: delivery, RetryDelays(policy: policy) { jitter })
        }

        mutating func happens(_ input: ConnectionSchedule.Input) {
            let hasSlept = connection.deadline.map { now > $0 + ConnectionSchedule.jumpTolerance } ?? false
            let wasOffline = connection.isOffline
            let actions = connection.handle(input, at: now)
            if connection.isActive, hasSlept || (wasOffline && input == .cameOnline) {
                (quietUntil, streamQuietUntil) = (.zero, .zero)
            }
            for action in actions {
                switch action {
                case .read where connection.isOffline, .openStream where connection.isOffline:
                    Issue.record("it reads while it is offline")
                case .read:
                    #expect(!isReading, "one read at a time")
                    #expect(now >= quietUntil, "the source is left alone for as long as it asked")
                    isReading = true
                case .openStream(let number):
                    #expect(openStream == nil, "one stream at a time")
                    #expect(number > highest)
                    #expect(now >= max(quietUntil, streamQuietUntil), "so is the stream")
                    (openStream, highest) = (number, number)
                case .closeStream(let number):
                    #expect(openStream == number)
                    openStream = nil
                }
            }
            check()
        }

        private func check() {
            if let deadline = connection.deadline { #expect(deadline > now, "what is due has been done") }
            if connection.isOffline {
                #expect(
                    connection.deadline == nil && !connection.reads.isRequested,
                    "nothing is read, whatever the caller"
                )
                #expect(connection.phase == .offline && openStream == nil)
            }
            if connection.phase == .streaming { #expect(openStream != nil || connection.stream.liveUntil != nil) }
            #expect(connection.reads.isInFlight == isReading)
            if connection.isActive {
                #expect(isReading || connection.deadline != nil, "something will happen by itself")
                let isTrying = isReading || connection.nextRead != nil || connection.stream.number != nil
                #expect(isTrying || connection.nextOpening != nil, "it never stops trying: \(connection)")
            } else if !connection.reads.isRequested {
                #expect(connection.deadline == nil, "nobody needs to know")
            }
        }

        mutating func chance(_ limit: UInt64) -> UInt64 { UInt64.random(in: 0..<limit, using: &random) }

        mutating func passTime() {
            let pause = Duration.milliseconds(Int64(chance(40_000)))
            // Mostly as a clock does it, which rings when something is due.
            now = chance(4) == 0 ? now + pause : min(now + pause, connection.deadline ?? now + pause)
        }

        mutating func error(ofStream: Bool) -> ConfigError {
            let codes: [ConfigError.Code] = [
                .unreachable, .unavailable, .badResponse, .unauthorized, .forbidden, .damaged, .notFound,
            ]
            var error = ConfigError(codes[Int(chance(UInt64(codes.count)))], "e")
            if chance(5) == 0 {
                error.retryAfter = .seconds(Int64(chance(100)))
                let end = now + (error.retryAfter ?? .zero)
                if ofStream { streamQuietUntil = max(streamQuietUntil, end) } else { quietUntil = max(quietUntil, end) }
            }
            return error
        }

        mutating func input() -> ConnectionSchedule.Input {
            switch chance(15) {
            case 0: return .started
            case 1: return .wentOffline
            case 2: return .cameOnline
            case 3: return .asked
            case 4 where chance(4) == 0: return .stopped
            case 5 where isReading:
                isReading = false
                return .readFailed(error(ofStream: false))
            case 6 where isReading:
                isReading = false
                return .readSucceeded(nextReadAfter: chance(2) == 0 ? nil : .seconds(5))
            case 7 where isReading:
                isReading = false
                return .readCancelled
            case 8: if let openStream { return .streamOpened(openStream) }
            case 9:
                if let number = openStream {
                    openStream = nil
                    return .streamEnded(number, chance(2) == 0 ? nil : error(ofStream: true))
                }
            case 10: if let openStream { return .streamAlive(openStream) }
            case 11: if openStream != nil { return .readNeeded }
            case 13: return .networkChanged
            case 14: return .resumed
            case 12: if let openStream { return .retryGiven(openStream, .seconds(Int64(chance(9)))) }
            default: break
            }
            return .timePassed
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>) func anyCourseOfEventsKeepsTheRules(seed: UInt64) {
        var course = Course(seed: seed)
        for _ in 0..<500 {
            course.passTime()
            course.happens(course.input())
        }
    }

    /// After any course of events, a source that works again is followed again, without a request.
    @Test(arguments: 0..<300 as Range<UInt64>) func itIsNeverStuck(seed: UInt64) {
        var course = Course(seed: seed)
        course.happens(.started)
        for _ in 0..<(seed % 100) {
            course.passTime()
            course.happens(course.input())
        }
        course.happens(.started)
        course.happens(.cameOnline)
        let seconds = 100 + 30 + 300 + 60 + 30
        let end = course.now + .seconds(seconds)
        var reads = 0
        var beat = course.now
        while course.now < end {
            course.now = min(course.connection.deadline ?? end, beat, end)
            if course.now >= beat { beat += .seconds(10) }
            if course.isReading {
                (course.isReading, reads) = (false, reads + 1)
                course.happens(.readSucceeded(nextReadAfter: nil))
            } else if let number = course.openStream {
                if !course.connection.stream.isOpen { course.happens(.streamOpened(number)) }
                course.happens(.streamAlive(number))
            }
            course.happens(.timePassed)
        }
        let phase = course.connection.hasStream ? SourceStatus.Phase.streaming : .polling
        #expect(course.connection.phase == phase, "\(course.connection)")
        #expect(reads > 0 || course.connection.hasStream)
    }
}
