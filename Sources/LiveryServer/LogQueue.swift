import Files

/// The lines of a log that are on their way, and how many were lost: what is to be written next, and what became of it.
struct LogQueue: Sendable {
    /// Bytes to write in one go, whole lines.
    struct Batch: Hashable, Sendable {
        var bytes: [UInt8]
        /// How many of the bytes say that lines were lost.
        fileprivate var noticeSize: Int
        /// How many lines they say were lost.
        fileprivate var lostBefore: Int
    }

    private enum State { case idle, scheduled, writing }

    private let capacity: Int
    private let notice: @Sendable (Int, String) -> String
    private var state = State.idle
    private var waiting: [UInt8] = []
    private(set) var lost = 0
    private var reason = ""
    /// Whether the last write broke off within a line.
    private var isMidLine = false

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - capacity: the most bytes that wait.
    ///   - notice: makes the line that tells how many lines were lost, and why.
    init(capacity: Int, notice: @escaping @Sendable (Int, String) -> String) {
        self.capacity = capacity
        self.notice = notice
    }

    /// Whether nothing waits and nothing is being written.
    var isIdle: Bool { state == .idle && waiting.isEmpty }

    /// Lets a line wait, if there is room.
    mutating func add(_ line: some Collection<UInt8>) {
        guard waiting.count + line.count <= capacity else { return lose(1, because: "whoever reads it is too slow") }
        waiting += line
    }

    /// Whether what waits can be written by whoever asks, since nobody else is at it and it is short.
    func isShort(_ limit: Int) -> Bool {
        state != .writing && waiting.count + (lost > 0 ? notice(lost, reason).utf8.count + 2 : 1) <= limit
    }

    /// Whether somebody has to be called to write what waits.
    mutating func schedule() -> Bool {
        guard state == .idle, !waiting.isEmpty else { return false }
        state = .scheduled
        return true
    }

    /// What is to be written now; `nil` if there is nothing, or if somebody is at it.
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

    /// Takes note of what became of a batch.
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
