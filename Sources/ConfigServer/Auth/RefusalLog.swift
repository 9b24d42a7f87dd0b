internal import Logging
internal import NIOCore
internal import Synchronization

/// A log of refused requests and dropped connections with at most so many lines a minute, since strangers decide how many
/// there would be.
final class RefusalLog: Sendable {
    private let logger: Logger
    private let budget = Mutex(LogBudget(lines: 20, period: .seconds(60)))

    init(logger: Logger) {
        self.logger = logger
    }

    /// Logs a line, unless the budget is used up.
    func record(_ message: String, _ metadata: Logger.Metadata) {
        guard logger.logLevel <= .info, let withheld = budget.withLock({ $0.admit(at: .now()) }) else { return }
        var metadata = metadata
        if withheld > 0 { metadata["withheld"] = "\(withheld)" }
        logger.info("\(message)", metadata: metadata)
    }
}

/// A budget of log lines per period.
struct LogBudget {
    private let lines: Int
    private let period: TimeAmount
    private var end: NIODeadline?
    private var left = 0
    private var withheld = 0

    /// - Parameters:
    ///   - lines: the most lines per period.
    ///   - period: the length of a period, which begins with its first line.
    init(lines: Int, period: TimeAmount) {
        self.lines = lines
        self.period = period
    }

    /// Spends one line.
    ///
    /// - Returns: how many lines were withheld since the last one; `nil` if this one is withheld too.
    mutating func admit(at now: NIODeadline) -> Int? {
        if end.map({ now >= $0 }) ?? true {
            end = now + period
            left = lines
        }
        guard left > 0 else {
            withheld += 1
            return nil
        }
        left -= 1
        defer { withheld = 0 }
        return withheld
    }
}
