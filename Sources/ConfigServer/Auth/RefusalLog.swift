// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import NIOCore
internal import Synchronization

/// A log of rejected requests and dropped connections, limited to a number of lines per minute, since clients determine how
/// many there are.
final class RefusalLog: Sendable {
    private let logger: Logger
    private let level: Logger.Level
    private let budget: Mutex<LogBudget>

    init(logger: Logger, level: Logger.Level = .info, linesPerMinute: Int = 20) {
        (self.logger, self.level) = (logger, level)
        budget = Mutex(LogBudget(linesPerMinute: linesPerMinute))
    }

    func record(_ message: String, _ metadata: Logger.Metadata) {
        guard logger.logLevel <= level, let withheld = budget.withLock({ $0.admit(at: .now()) }) else { return }
        var metadata = metadata
        if withheld > 0 { metadata["withheld"] = "\(withheld)" }
        logger.log(level: level, "\(message)", metadata: metadata)
    }
}

/// A budget of log lines per minute, which begins with its first line.
struct LogBudget {
    private let linesPerMinute: Int
    private var end = NIODeadline.uptimeNanoseconds(0)
    private var left = 0
    private var withheld = 0

    init(linesPerMinute: Int) { self.linesPerMinute = linesPerMinute }

    /// Spends one line. Returns how many were withheld since the last one; `nil` if this one is withheld too.
    mutating func admit(at now: NIODeadline) -> Int? {
        if now >= end { (end, left) = (now + .seconds(60), linesPerMinute) }
        guard left > 0 else {
            withheld += 1
            return nil
        }
        left -= 1
        defer { withheld = 0 }
        return withheld
    }
}
