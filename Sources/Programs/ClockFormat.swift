// SPDX-License-Identifier: Apache-2.0

package import Basics
internal import CLibrary

/// Formats times for people, in a time zone. Programs read them in UTC, as ``Timestamp`` writes them.
///
/// By the C library, in microseconds: Foundation's formatters load a database first.
package struct ClockFormat: Sendable {
    private let convert: @Sendable (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> Void

    /// The user's own time zone, by `TZ` or the system's setting.
    package static let local = ClockFormat { localtime_r($0, $1) }
    package static let utc = ClockFormat { gmtime_r($0, $1) }

    /// `12:03:44`.
    package func clock(_ moment: Timestamp) -> String {
        spelled(moment, "%H:%M:%S")
    }

    /// `2026-11-20 12:03:44`.
    package func dateAndClock(_ moment: Timestamp) -> String {
        spelled(moment, "%Y-%m-%d %H:%M:%S")
    }

    private func spelled(_ moment: Timestamp, _ format: String) -> String {
        var time = time_t(moment.wholeSeconds)
        var components = tm()
        convert(&time, &components)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, format, &components)
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension Timestamp {
    /// Seconds since 1970, rounded down, also before 1970.
    fileprivate var wholeSeconds: Int64 {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
