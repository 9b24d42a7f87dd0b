// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Files
import Synchronization

/// Writes the log to standard error.
///
/// Logging never blocks and never fails. To a pipe or a socket that has room a line is written at once, so that an audit line
/// is out before the answer to its request. To anything else, and if the reader is slow, it is written by a thread of the
/// sink. If too many wait, or the output is full or closed, lines are dropped and counted, and the count is the first line once
/// the output works again.
final class LogSink: Sendable {
    private let output: Output
    private let queue: Mutex<LogQueue>
    private let worker = DispatchQueue(label: "livery.log")

    /// - Parameters:
    ///   - capacity: the maximum number of bytes that wait for a slow reader.
    ///   - notice: makes the line about lost lines, from their number and the reason.
    init(_ output: Output = .error, capacity: Int = 1 << 20, notice: @escaping @Sendable (Int, String) -> String) {
        self.output = output
        queue = Mutex(LogQueue(capacity: capacity, notice: notice))
    }

    func write(_ line: String) {
        let mustCall = queue.withLock { queue in
            queue.add((line + "\n").utf8)
            guard queue.isShort(Output.atomicSize), output.takesBytesNow, let batch = queue.next() else {
                return queue.schedule()
            }
            queue.end(batch, attempt(batch))
            return false
        }
        if mustCall { worker.async { self.drain() } }
    }

    /// Waits until everything is written, for a limited time: for the end of a program.
    func flush(within patience: DispatchTimeInterval = .seconds(1)) {
        let isDone = DispatchSemaphore(value: 0)
        worker.async { isDone.signal() }
        _ = isDone.wait(timeout: .now() + patience)
    }

    private func drain() {
        while let batch = queue.withLock({ $0.next() }) {
            let error = attempt(batch)
            queue.withLock { $0.end(batch, error) }
        }
    }

    private func attempt(_ batch: LogQueue.Batch) -> OutputError? {
        do throws(OutputError) {
            try output.write(batch.bytes)
            return nil
        } catch {
            return error
        }
    }
}

/// The waiting log lines and the number of lost ones, as a value.
struct LogQueue: Sendable {
    struct Batch: Hashable, Sendable {
        var bytes: [UInt8]
        /// The size of the notice about lost lines, which comes first.
        fileprivate var noticeSize: Int
        /// The number of lost lines in the notice.
        fileprivate var lostBefore: Int
    }

    private enum State { case idle, scheduled, writing }

    private let capacity: Int
    private let notice: @Sendable (Int, String) -> String
    private var state = State.idle
    private var waiting: [UInt8] = []
    private(set) var lost = 0
    private var reason = ""
    /// Whether the last write stopped within a line.
    private var isMidLine = false

    init(capacity: Int, notice: @escaping @Sendable (Int, String) -> String) {
        (self.capacity, self.notice) = (capacity, notice)
    }

    mutating func add(_ line: some Collection<UInt8>) {
        guard waiting.count + line.count <= capacity else { return lose(1, because: "the log reader is too slow") }
        waiting += line
    }

    /// The bytes that precede the waiting lines: the rest of a line that was cut, and the notice about lost ones.
    private var preface: String { (isMidLine ? "\n" : "") + (lost > 0 ? notice(lost, reason) + "\n" : "") }

    /// Whether the waiting lines are short enough for the caller to write, and no write is in progress.
    func isShort(_ limit: Int) -> Bool { state != .writing && waiting.count + preface.utf8.count <= limit }

    /// Whether the writer has to be started for the waiting lines.
    mutating func schedule() -> Bool {
        guard state == .idle, !waiting.isEmpty else { return false }
        state = .scheduled
        return true
    }

    /// The next lines to write; `nil` if there are none or a write is in progress.
    mutating func next() -> Batch? {
        guard state != .writing else { return nil }
        guard !waiting.isEmpty else {
            state = .idle
            return nil
        }
        state = .writing
        let start = preface.utf8
        let batch = Batch(bytes: Array(start) + waiting, noticeSize: start.count, lostBefore: lost)
        waiting = []
        lost = 0
        return batch
    }

    mutating func end(_ batch: Batch, _ error: OutputError?) {
        state = .idle
        guard let error else {
            isMidLine = false
            return
        }
        if error.written > 0 { isMidLine = batch.bytes[error.written - 1] != UInt8(ascii: "\n") }
        let lines = batch.bytes[max(error.written, batch.noticeSize)...].count { $0 == UInt8(ascii: "\n") }
        lose(lines + (error.written < batch.noticeSize ? batch.lostBefore : 0), because: error.reason)
    }

    private mutating func lose(_ lines: Int, because reason: String) {
        lost += lines
        self.reason = reason
    }
}
