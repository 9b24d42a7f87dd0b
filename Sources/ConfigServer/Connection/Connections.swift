// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import NIOCore
internal import Observing
internal import Synchronization

final class Connections: Sendable {
    let services: ServerServices
    let certificate: ServerCertificate?

    private final class Loop: Sendable {
        let eventLoop: any EventLoop
        let connections: NIOLoopBoundBox<ConnectionLoop?>
        /// Whether a flush of the streams is scheduled and has not begun yet.
        let isFlushDue = Atomic(false)

        init(_ eventLoop: any EventLoop) {
            self.eventLoop = eventLoop
            connections = .makeEmptyBox(eventLoop: eventLoop)
        }
    }

    private let loops: [ObjectIdentifier: Loop]
    private let turns: Mutex<FlushTurns<Loop>>
    private let observations = Mutex<[@Sendable () -> Void]>([])

    init(services: ServerServices, certificate: ServerCertificate?, group: any EventLoopGroup) {
        (self.services, self.certificate) = (services, certificate)
        loops = Dictionary(uniqueKeysWithValues: group.makeIterator().map { (ObjectIdentifier($0), Loop($0)) })
        turns = Mutex(FlushTurns(loops: loops.count))
    }

    func start() {
        let states = services.hub.observe { [weak self] _ in self?.flush() }
        let drafts = services.hub.draftBoard.observe { [weak self] in self?.flush() }
        observations.withLock { $0 = [states, drafts] }
        services.policy.onReplace(at: self) { [weak self] in await self?.endForbiddenStreams() ?? 0 }
    }

    func stop() {
        observations.withLock { $0 = [] }
        services.policy.onReplace(at: self, nil)
        for loop in loops.values {
            loop.eventLoop.execute {
                loop.connections.value?.stop()
                loop.connections.value = nil
            }
        }
    }

    /// Waits until all connections have ended: no task waits for the streams. If the wait is cancelled, they are closed.
    func drain() async {
        await withTaskCancellationHandler {
            for loop in loops.values {
                let drained = loop.eventLoop.flatSubmit {
                    loop.connections.value?.drain() ?? loop.eventLoop.makeSucceededVoidFuture()
                }
                // A loop that has been shut down has no connections.
                try? await drained.get()
            }
        } onCancel: {
            for loop in loops.values { loop.eventLoop.execute { loop.connections.value?.close() } }
        }
    }

    func on(_ eventLoop: any EventLoop) -> ConnectionLoop? {
        guard let loop = loops[ObjectIdentifier(eventLoop)] else { return nil }
        if let connections = loop.connections.value { return connections }
        let connections = ConnectionLoop(services, ServerRoutes(services, on: eventLoop), on: eventLoop)
        loop.connections.value = connections
        return connections
    }

    /// Flushes the streams of each loop, once for all that has happened until the loop begins.
    private func flush() {
        for loop in loops.values where !loop.isFlushDue.exchange(true, ordering: .acquiringAndReleasing) {
            loop.eventLoop.execute {
                guard self.turns.withLock({ $0.begin(loop) }) else { return }
                self.flush(loop)
            }
        }
    }

    private func flush(_ loop: Loop) {
        loop.isFlushDue.store(false, ordering: .releasing)
        loop.connections.value?.streams.flush()
        guard let next = turns.withLock({ $0.end() }) else { return }
        next.eventLoop.execute { self.flush(next) }
    }

    /// Ends the streams that their tokens do not allow any more, and returns their number.
    private func endForbiddenStreams() async -> Int {
        guard let mayRead = services.policy.tokens?.readingRule(at: services.policy.now()) else { return 0 }
        var count = 0
        for loop in loops.values {
            let ended = loop.eventLoop.submit {
                loop.connections.value?.streams.end { !mayRead($0, $1) } ?? 0
            }
            // As above, for a loop that has been shut down.
            count += (try? await ended.get()) ?? 0
        }
        return count
    }
}

/// Schedules which event loops write events to their streams, and which wait for their turn.
///
/// Flushing all loops at once would occupy every processor as long as there are streams: readers, commits and responses would
/// wait, and with them the next event. Half of the loops are as fast under that load, and commits made during the wait leave
/// with the same write.
struct FlushTurns<Loop> {
    private var free: Int
    private var waiting: [Loop] = []

    init(loops count: Int) {
        free = max(1, count / 2)
    }

    /// - Returns: whether the loop may begin; otherwise ``end()`` returns it when it is its turn.
    mutating func begin(_ loop: Loop) -> Bool {
        guard free > 0 else {
            waiting.append(loop)
            return false
        }
        free -= 1
        return true
    }

    /// A loop has ended, and the next one begins.
    mutating func end() -> Loop? {
        if waiting.isEmpty {
            free += 1
            return nil
        }
        return waiting.removeFirst()
    }
}
