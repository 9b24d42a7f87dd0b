// SPDX-License-Identifier: Apache-2.0

import ConfigClient
import ConfigModel
import ConfigWire
import HTTPTransport
import NIOCore
import RemoteConfig

/// A client that servers cannot tell from a `RemoteConfigService` with the default settings.
///
/// The schedule of that service decides when to connect and to read, with the same pauses after failures, and its rules decide what
/// to do after an event. In place of values it has their position and digest.
final class StormClient {
    private unowned let crowd: StormCrowd
    private var schedule: ConnectionSchedule
    private(set) var cursor: RevisionCursor?
    private(set) var digest: ConfigDigest?
    private var stream: (number: Int, connection: StormConnection)?
    /// Whether the stream has sent its position.
    private var isOpen = false
    private var reading: StormConnection?
    /// A connection without a request, which the next one uses.
    private var idle: StormConnection?
    /// The events that have arrived during a read, and the number of their stream. They are applied after it.
    private var waiting: [(event: StreamEvent, number: Int)] = []
    private var alarm: (time: Duration, task: Scheduled<Void>)?
    var standing = Standing.current

    /// Whether the client has been current since the loss of a server.
    enum Standing { case current, onLostServer, behind }

    init(_ crowd: StormCrowd) {
        self.crowd = crowd
        schedule = Self.newSchedule()
    }

    private static func newSchedule() -> ConnectionSchedule {
        let pauses = RetryDelays(policy: ConnectionPolicy()) { .random(in: 0..<1) }
        return ConnectionSchedule(for: .streamed(pollingEvery: ServerSource.pollingInterval), pauses)
    }

    /// The number of the server that the stream is on, if there is one.
    var server: Int? { stream?.connection.server }

    var isConnected: Bool { stream != nil && isOpen && cursor != nil }

    func start() { handle(.started) }

    /// Ends as the process of a client does, and starts without a cache.
    func startAgain() {
        for connection in [stream?.connection, reading, idle] { connection?.close() }
        alarm?.task.cancel()
        (stream, reading, idle, alarm, waiting) = (nil, nil, nil, nil, [])
        (cursor, digest, schedule, standing) = (nil, nil, Self.newSchedule(), .behind)
        start()
    }

    private func handle(_ input: ConnectionSchedule.Input) {
        for action in schedule.handle(input, at: crowd.now) {
            switch action {
            case .read: read()
            case .openStream(let number): open(number)
            case .closeStream:
                stream?.connection.close()
                stream = nil
            }
        }
        // A later deadline is set once the alarm of the earlier one has come.
        guard let deadline = schedule.deadline, alarm.map({ deadline < $0.time }) ?? true else { return }
        alarm?.task.cancel()
        let time = NIODeadline.uptimeNanoseconds(UInt64(deadline.nanoseconds))
        let task = crowd.loop.assumeIsolated().scheduleTask(deadline: time) {
            self.alarm = nil
            self.handle(.timePassed)
        }
        alarm = (deadline, task)
    }

    /// A connection without a request.
    private func connection() -> StormConnection {
        defer { idle = nil }
        if let idle, idle.isIdle { return idle }
        return StormConnection(crowd, to: crowd.nextServer())
    }
}

// The stream.
extension StormClient {
    private func open(_ number: Int) {
        let connection = connection()
        (stream, isOpen) = ((number, connection), false)
        let position = cursor.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        let fields = "Accept: text/event-stream\r\nAccept-Encoding: identity\r\nCache-Control: no-store\r\n\(position)"
        connection.send("/v1/default/events", fields: fields, isStream: true) { news in
            switch news {
            case .events(let piece): self.receive(piece, from: number)
            case .body(let head, _):
                connection.close()
                self.streamEnded(number, head.problem() ?? ConfigError(.badResponse, "status \(head.status)"))
            case .failure(let error): self.streamEnded(number, error)
            }
        }
    }

    private func streamEnded(_ number: Int, _ error: ConfigError) {
        guard stream?.number == number else { return }
        stream = nil
        // The loss itself is no failed attempt.
        if standing == .onLostServer { standing = .behind } else { crowd.failures += 1 }
        handle(.streamEnded(number, error))
    }

    private func receive(_ piece: StormEvents.Piece, from number: Int) {
        handle(.streamAlive(number))
        if let retry = piece.retry { handle(.retryGiven(number, retry)) }
        for event in piece.events {
            if reading == nil { apply(event, from: number) } else { waiting.append((event, number)) }
        }
    }

    private func apply(_ event: StreamEvent, from number: Int) {
        guard stream?.number == number else { return }
        if case .hello = event {
            isOpen = true
            handle(.streamOpened(number))
        }
        switch StreamStep(after: event, at: (cursor, digest)) {
        case .nothing: break
        case .apply(let changes, let epoch):
            (cursor, digest) = (RevisionCursor(epoch: epoch, revision: changes.to), changes.digest)
        case .read: handle(.readNeeded)
        case .readWhole(let epoch):
            // Another epoch is read by the cursor, so that the answer is a reset.
            if epoch == cursor?.epoch { (cursor, digest) = (nil, nil) }
            handle(.readNeeded)
        }
        noteIfCurrent()
    }

    private func noteIfCurrent() {
        guard standing == .behind, stream != nil, let cursor, crowd.isLatest(cursor) else { return }
        standing = .current
        crowd.noteCurrent()
    }
}

// Reads.
extension StormClient {
    private func read() {
        let connection = connection()
        reading = connection
        let query = cursor.map { "?epoch=\($0.epoch)&after=\($0.revision)" } ?? ""
        let fields = "Accept: application/json\r\nAccept-Encoding: gzip\r\n"
        connection.send("/v1/default/config\(query)", fields: fields, isStream: false) { news in
            self.reading = nil
            switch news {
            case .events: break
            case .body(let head, let body):
                self.keep(connection)
                self.readEnded(head, body)
            case .failure(let error):
                self.crowd.failures += 1
                self.handle(.readFailed(error))
            }
            let waiting = self.waiting
            self.waiting = []
            for (event, number) in waiting { self.apply(event, from: number) }
        }
    }

    private func readEnded(_ head: HTTPResponseHead, _ body: ByteBuffer) {
        crowd.reads += 1
        if let problem = head.problem() {
            crowd.failures += 1
            return handle(.readFailed(problem))
        }
        guard let answer = crowd.events.answer(head, body) else {
            crowd.failures += 1
            return handle(.readFailed(ConfigError(.damaged, "an answer that is none")))
        }
        (cursor, digest) = answer
        handle(.readSucceeded())
        noteIfCurrent()
    }

    /// Keeps a connection for the next request, as libcurl does.
    private func keep(_ connection: StormConnection) {
        if idle == nil { idle = connection } else { connection.close() }
    }
}
