// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Synchronization
import TestSupport

@testable import RemoteConfig

/// A Livery server in memory: it has the history that a test writes, and answers and streams by the protocol, with
/// errors on request.
final class FakeServer: ConfigSource {
    let name = "server"
    let delivery = SourceDelivery.streamed(pollingEvery: .seconds(30))

    /// The errors of a server, or of a proxy before it.
    struct Faults {
        /// The error of reading.
        var reading: ConfigError?
        /// The error of opening the stream.
        var opening: ConfigError?
        /// Runs between a read and its answer.
        var delay: @Sendable () async -> Void = {}
        /// Deltas and events announce a wrong digest.
        var liesAboutDigests = false
        /// The response of a proxy to requests for the whole state, in place of the server's.
        var cached: ServerSnapshot?
        /// The delivery of events; the default delivers them unchanged.
        var onTheWay: @Sendable (StreamEvent) -> [StreamEvent] = { [$0] }
    }

    fileprivate struct State {
        var epoch = Epoch(rawValue: 1)
        var states: [[String: EntryValue]] = [[:]]
        var faults = Faults()
        var reads: [SourcePosition] = []
        var openings: [SourcePosition] = []
        var streams: [Int: AsyncStream<StreamEvent?>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// The known position at each read.
    var reads: [SourcePosition] { state.withLock(\.reads) }
    /// The known position at each opening of the stream.
    var openings: [SourcePosition] { state.withLock(\.openings) }
    /// The number of open streams.
    var streamCount: Int { state.withLock(\.streams.count) }
    var revision: UInt64 { state.withLock { UInt64($0.states.count - 1) } }
    var values: [String: EntryValue] { state.withLock { $0.states.last ?? [:] } }
    var cursor: RevisionCursor { state.withLock(\.cursor) }

    func fail(_ change: (inout Faults) -> Void) { state.withLock { change(&$0.faults) } }

    /// Publishes a revision and notifies the streams.
    func publish(silently: Bool = false, _ change: (inout [String: EntryValue]) -> Void) {
        state.withLock { state in
            var values = state.states.last ?? [:]
            change(&values)
            state.states.append(values)
            if silently { return }
            let event = StreamEvent.change(state.changes(from: state.states.count - 2), epoch: state.epoch)
            for stream in state.streams.values { for event in state.faults.onTheWay(event) { stream.yield(event) } }
        }
    }

    /// Sends an event to the streams.
    func send(_ event: StreamEvent) {
        state.withLock { state in for stream in state.streams.values { stream.yield(event) } }
    }

    /// Sends a sign of life through the streams.
    func beat() {
        state.withLock { state in for stream in state.streams.values { stream.yield(nil) } }
    }

    /// The whole state as it is now.
    var snapshot: ServerSnapshot { state.withLock(\.snapshot) }

    /// The current head of the history.
    var head: StreamEvent { state.withLock { .head($0.cursor, $0.digest) } }

    /// Ends all streams.
    func cut() {
        let streams = state.withLock { Array($0.streams.values) }
        for stream in streams { stream.finish() }
    }

    /// Begins another history.
    func restore(epoch: UInt64, _ values: [String: EntryValue]) {
        state.withLock { state in
            state.epoch = Epoch(rawValue: epoch)
            state.states = [[:], values]
        }
    }

    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        let result: Result<SourceReading, ConfigError> = state.withLock { state in
            state.reads.append(known)
            if let error = state.faults.reading { return .failure(error) }
            return .success(state.reading(after: known))
        }
        await state.withLock(\.faults.delay)()
        return try result.get()
    }

    func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        let (events, continuation) = AsyncStream.makeStream(of: StreamEvent?.self)
        let result: Result<Int, ConfigError> = state.withLock { state in
            state.openings.append(known)
            if let error = state.faults.opening { return .failure(error) }
            let number = state.openings.count
            state.streams[number] = continuation
            state.welcome(continuation, after: known)
            return .success(number)
        }
        let number = try result.get()
        defer { state.withLock { $0.streams[number] = nil } }
        for await event in events {
            await receive(event.map { .server($0) } ?? .received(bytes: 1))
        }
    }
}

extension FakeServer.State {
    fileprivate var cursor: RevisionCursor { RevisionCursor(epoch: epoch, revision: UInt64(states.count - 1)) }
    fileprivate var digest: ConfigDigest { digest(at: states.count - 1) }

    fileprivate var snapshot: ServerSnapshot {
        ServerSnapshot(cursor: cursor, digest: digest, entries: states.last ?? [:])
    }

    private func digest(at revision: Int) -> ConfigDigest {
        ConfigDigest(states[revision].map { ($0.key, $0.value) })
    }

    fileprivate func changes(from revision: Int) -> Changeset {
        let (old, new) = (states[revision], states.last ?? [:])
        return Changeset(
            from: UInt64(revision),
            to: UInt64(states.count - 1),
            digest: faults.liesAboutDigests ? ConfigDigest([("lie", .integer(states.count))]) : digest,
            upserts: new.filter { old[$0.key] != $0.value },
            deletes: Set(old.keys.filter { new[$0] == nil })
        )
    }

    fileprivate func reading(after known: SourcePosition) -> SourceReading {
        if let cursor = known.cursor, cursor.epoch == epoch, cursor.revision < states.count {
            return SourceReading(.changes(changes(from: Int(cursor.revision)), epoch: epoch))
        }
        if known.cursor == nil, let cached = faults.cached { return SourceReading(.snapshot(cached)) }
        return SourceReading(.snapshot(snapshot, isReset: known.cursor != nil))
    }

    fileprivate func welcome(_ stream: AsyncStream<StreamEvent?>.Continuation, after known: SourcePosition) {
        guard let cursor = known.cursor, cursor.epoch == epoch, cursor.revision < states.count else {
            stream.yield(.hello(self.cursor, digest))
            return
        }
        stream.yield(.hello(cursor, digest(at: Int(cursor.revision))))
        if cursor != self.cursor { stream.yield(.change(changes(from: Int(cursor.revision)), epoch: epoch)) }
    }
}
