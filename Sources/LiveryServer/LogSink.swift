import Dispatch
import Files
import Synchronization

/// Writes the log to standard error.
///
/// Logging never blocks and never fails. A line is written at once if there is room, so that an audit line is out before the
/// answer to its request. If the reader is slow, lines wait for a thread of the sink. If too many wait, or the output is full
/// or closed, lines are dropped and counted, and the count is the first line once the output works again.
final class LogSink: Sendable {
    private let output: Output
    private let queue: Mutex<LogQueue>
    private let worker = DispatchQueue(label: "livery.log")

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - output: where to write.
    ///   - capacity: the most bytes that wait for a slow reader.
    ///   - notice: makes the line about lost lines, from their number and the reason.
    init(_ output: Output = .error, capacity: Int = 1 << 20, notice: @escaping @Sendable (Int, String) -> String) {
        self.output = output
        queue = Mutex(LogQueue(capacity: capacity, notice: notice))
    }

    /// Writes a line now or soon.
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

    /// Writes the waiting lines, on the sink's own thread.
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
