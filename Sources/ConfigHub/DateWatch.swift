// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore

/// Watches whether writes are dated by the machine's clock.
struct DateWatch: Sendable {
    private enum Step: Sendable { case together, ahead, behind }

    private var step = Step.together
    private static let tolerance: Int64 = 60_000

    /// A message for the operator about the date of a write; `nil` if nothing has changed since the last one.
    mutating func message(for date: Timestamp, clock: Timestamp) -> String? {
        let ahead = date.milliseconds - clock.milliseconds
        let new: Step = ahead > Self.tolerance ? .ahead : ahead < -Self.tolerance ? .behind : .together
        guard new != step else { return nil }
        step = new
        return switch new {
        case .ahead:
            """
            write dates are ahead of the system clock: last write at \(date), clock at \(clock); dates never decrease, \
            so they advance by 1 ms per write until the clock catches up
            """
        case .behind:
            """
            the system clock jumped ahead to \(clock); writes continue from \(date) until the clock has been stable \
            for \(WriteClock.patience.components.seconds / 60) minutes; check the system clock
            """
        case .together: "write dates follow the system clock again"
        }
    }
}
