public import ConfigModel
internal import Foundation

extension Timestamp {
    /// What the clock says.
    public static func ofClock() -> Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }

    /// The moment that lies so long before this one; the earliest there is, if it would lie before that.
    func earlier(by duration: Duration) -> Timestamp {
        let (age, isTooLong) = duration.components.seconds.multipliedReportingOverflow(by: 1000)
        let (moment, isTooEarly) = milliseconds.subtractingReportingOverflow(age)
        return Timestamp(milliseconds: isTooLong || isTooEarly ? .min : moment)
    }
}
