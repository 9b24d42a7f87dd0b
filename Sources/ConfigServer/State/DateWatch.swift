internal import ConfigModel
internal import ConfigStore

/// Notices when writes are not dated by the machine's clock, and when they are again.
struct DateWatch: Sendable {
    private enum Step: Sendable { case together, ahead, behind }

    private var step = Step.together
    private static let tolerance: Int64 = 60_000

    /// What the operator should know about the date of a write; `nil` if it is known already, or as it should be.
    ///
    /// - Parameters:
    ///   - date: the write's date.
    ///   - clock: what the machine's clock said then.
    mutating func message(for date: Timestamp, clock: Timestamp) -> String? {
        let new: Step =
            date.milliseconds > clock.milliseconds + Self.tolerance
            ? .ahead : date.milliseconds < clock.milliseconds - Self.tolerance ? .behind : .together
        guard new != step else { return nil }
        step = new
        switch new {
        case .ahead:
            return """
                writes are dated after \(date), ahead of this machine's clock (\(clock)): dates only ever rise, and a \
                write was made with a clock that was ahead; they go on a millisecond at a time until the clock is there
                """
        case .behind:
            return """
                this machine's clock has leapt ahead to \(clock); writes go on being dated from before (\(date)) until \
                it has stayed there for \(WriteClock.patience.components.seconds / 60) minutes; set it right if it is wrong
                """
        case .together: return "writes are dated by this machine's clock again"
        }
    }
}
