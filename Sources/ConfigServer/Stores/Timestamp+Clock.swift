public import ConfigModel
internal import Foundation

extension Timestamp {
    /// What the clock says.
    public static func ofClock() -> Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
