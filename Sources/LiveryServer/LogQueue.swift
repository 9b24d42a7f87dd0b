import Files

/// The log lines that wait to be written, and the number of those that were lost, as a value.
struct LogQueue: Sendable {
    /// Whole lines to write at once.
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

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - capacity: the most bytes that wait.
    ///   - notice: makes the line about lost lines, from their number and the reason.
    init(capacity: Int, notice: @escaping @Sendable (Int, String) -> String) {
        self.capacity = capacity
        self.notice = notice
    }

    /// Whether nothing waits and nothing is being written.
    var isIdle: Bool { state == .idle && waiting.isEmpty }

    /// Adds a line, if there is room.
    mutating func add(_ line: some Collection<UInt8>) {
        guard waiting.count + line.count <= capacity else { return lose(1, because: "its reader is too slow") }
        waiting += line
    }

    /// Whether the waiting lines are so short that the caller can write them, and nobody else is writing.
    func isShort(_ limit: Int) -> Bool {
        state != .writing && waiting.count + (lost > 0 ? notice(lost, reason).utf8.count + 2 : 1) <= limit
    }

    /// Whether the writer has to be started for the waiting lines.
    mutating func schedule() -> Bool {
        guard state == .idle, !waiting.isEmpty else { return false }
        state = .scheduled
        return true
    }

    /// The next lines to write; `nil` if there are none, or if somebody is writing.
    mutating func next() -> Batch? {
        guard state != .writing else { return nil }
        guard !waiting.isEmpty else {
            state = .idle
            return nil
        }
        state = .writing
        let start = (isMidLine ? "\n" : "") + (lost > 0 ? notice(lost, reason) + "\n" : "")
        let batch = Batch(bytes: Array(start.utf8) + waiting, noticeSize: start.utf8.count, lostBefore: lost)
        waiting = []
        lost = 0
        return batch
    }

    /// Records the outcome of a write.
    mutating func end(_ batch: Batch, _ error: OutputError?) {
        state = .idle
        guard let error else {
            isMidLine = false
            return
        }
        let rest = batch.bytes[error.written...]
        if error.written > 0 { isMidLine = batch.bytes[error.written - 1] != UInt8(ascii: "\n") }
        let lines = batch.bytes[max(error.written, batch.noticeSize)...].count { $0 == UInt8(ascii: "\n") }
        lose(lines + (rest.count > batch.bytes.count - batch.noticeSize ? batch.lostBefore : 0), because: error.reason)
    }

    private mutating func lose(_ lines: Int, because reason: String) {
        lost += lines
        self.reason = reason
    }
}
