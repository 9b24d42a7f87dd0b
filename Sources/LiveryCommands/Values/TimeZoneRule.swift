// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Files

/// The offset of a time zone from UTC, as its rule for present and future years has it: `PST8PDT,M3.2.0,M11.1.0`, the last line
/// of a file of the system's database (RFC 9636).
///
/// Foundation's time zones need a database of 30 MB on Linux.
struct TimeZoneRule {
    /// Seconds to the east of UTC.
    private let standard: Int
    /// The offset in summer, and its first and last day.
    private var summer: (offset: Int, start: Change, end: Change)?

    /// A day of each year with a time on the clocks before the change: `M3.2.0/2`.
    private struct Change {
        let month, week, weekday, time: Int
    }

    static let utc = TimeZoneRule("UTC0")

    /// - Parameter name: such as `America/Los_Angeles`.
    /// - Returns: `nil` if the system has no such time zone, or no rule for it.
    init?(named name: String) {
        let isName = !name.isEmpty && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "/_+-".utf8.contains($0) }
        guard isName, let bytes = try? FileContent.bytes(at: "/usr/share/zoneinfo/\(name)", atMost: 1 << 20),
            bytes.starts(with: "TZif".utf8), let line = bytes.split(separator: UInt8(ascii: "\n")).last
        else { return nil }
        self.init(String(decoding: line, as: UTF8.self))
    }

    /// Reads a rule of POSIX: names with offsets to the west, then the changes.
    init?(_ text: String) {
        var scanner = Scanner(rest: text[...])
        guard scanner.skipName(), let west = scanner.clock() else { return nil }
        standard = -west
        if scanner.rest.isEmpty { return }
        guard scanner.skipName() else { return nil }
        let offset = scanner.rest.hasPrefix(",") ? standard + 3600 : -(scanner.clock() ?? west - 3600)
        guard let start = scanner.change(), let end = scanner.change(), scanner.rest.isEmpty else { return nil }
        summer = (offset, start, end)
    }

    /// The seconds since 1970 of a time on the clocks of the zone, which is given in UTC.
    func seconds(ofLocal local: Timestamp) -> Int {
        guard let summer, let start = Self.seconds(of: summer.start, in: local),
            let end = Self.seconds(of: summer.end, in: local)
        else { return local.seconds - standard }
        let isSummer = start < end ? start..<end ~= local.seconds : !(end..<start ~= local.seconds)
        return local.seconds - (isSummer ? summer.offset : standard)
    }

    private static func seconds(of change: Change, in year: Timestamp) -> Int? {
        let text = year.description.prefix(5)
        func start(ofMonth month: Int) -> Int? {
            Timestamp("\(text)\(month < 10 ? "0" : "")\(month)-01T00:00:00Z")?.seconds
        }
        guard let month = start(ofMonth: change.month) else { return nil }
        // 1970 began on a Thursday.
        let weekday = (month / 86_400 + 4) % 7
        var day = (change.weekday - weekday + 7) % 7 + (change.week - 1) * 7
        let next = change.month == 12 ? month + 31 * 86_400 : start(ofMonth: change.month + 1) ?? month
        // The week 5 is the last one.
        if month + day * 86_400 >= next { day -= 7 }
        return month + day * 86_400 + change.time
    }

    private struct Scanner {
        var rest: Substring

        /// Letters, or anything in `<…>`.
        mutating func skipName() -> Bool {
            let count = rest.count
            if rest.first == "<" {
                rest = rest.drop { $0 != ">" }.dropFirst()
            } else {
                rest = rest.drop { $0.isLetter }
            }
            return rest.count < count
        }

        /// `8`, `-5:30` or `+2:00:00`, in seconds.
        mutating func clock() -> Int? {
            let text = rest.prefix { "+-:0123456789".contains($0) }
            rest = rest.dropFirst(text.count)
            let parts = text.drop { "+-".contains($0) }.split(separator: ":").map { Int($0) ?? 0 }
            guard let hours = parts.first else { return nil }
            let seconds = hours * 3600 + (parts.dropFirst().first ?? 0) * 60 + (parts.dropFirst(2).first ?? 0)
            return text.hasPrefix("-") ? -seconds : seconds
        }

        /// `,M3.2.0/2`: the second Sunday of March, at 2.
        mutating func change() -> Change? {
            guard rest.hasPrefix(",M") else { return nil }
            let text = rest.dropFirst(2).prefix { $0 == "." || $0.isNumber }
            rest = rest.dropFirst(2 + text.count)
            let numbers = text.split(separator: ".").compactMap { Int($0) }
            guard numbers.count == 3, 1...12 ~= numbers[0], 1...5 ~= numbers[1], 0...6 ~= numbers[2] else { return nil }
            var time = 7200
            if rest.first == "/" {
                rest.removeFirst()
                guard let clock = clock() else { return nil }
                time = clock
            }
            return Change(month: numbers[0], week: numbers[1], weekday: numbers[2], time: time)
        }
    }
}
