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
            writes are dated after \(date), ahead of this machine's clock (\(clock)): dates only ever rise, and a write was \
            made with a clock that was ahead; they go on a millisecond at a time until the clock is there
            """
        case .behind:
            """
            this machine's clock has leapt ahead to \(clock); writes go on being dated from before (\(date)) until it has \
            stayed there for \(WriteClock.patience.components.seconds / 60) minutes; set it right if it is wrong
            """
        case .together: "writes are dated by this machine's clock again"
        }
    }
}
