// SPDX-License-Identifier: Apache-2.0

/// A moment in whole milliseconds since 1970-01-01T00:00:00Z.
@frozen
public struct Timestamp: Hashable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
    public var milliseconds: Int64

    /// Creates a moment from milliseconds since 1970-01-01T00:00:00Z.
    @inlinable
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The time in whole seconds since 1970, as rules see it.
    package var seconds: Int { Int(milliseconds / 1000) }
}

extension Timestamp: Comparable {
    /// Orders by time.
    @inlinable
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

extension Timestamp: LosslessStringConvertible {
    /// The moment in UTC by RFC 3339 with three fractional digits: `2020-10-17T18:43:19.000Z`.
    ///
    /// The form has the years 0–9999; any other moment is written as the nearest one within them.
    public var description: String {
        let milliseconds = min(max(self, Self.years.lowerBound), Self.years.upperBound).milliseconds
        let days = milliseconds.flooredQuotient(by: 86_400_000)
        let clock = milliseconds - days * 86_400_000
        let (year, month, day) = Self.date(ofDay: days)
        return String(unsafeUninitializedCapacity: 24) { text in
            var end = 0
            func write(_ number: Int64, width: Int, _ separator: Unicode.Scalar) {
                var rest = number
                for index in (end..<end + width).reversed() {
                    text[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                text[end + width] = UInt8(ascii: separator)
                end += width + 1
            }
            write(year, width: 4, "-")
            write(month, width: 2, "-")
            write(day, width: 2, "T")
            write(clock / 3_600_000, width: 2, ":")
            write(clock / 60_000 % 60, width: 2, ":")
            write(clock / 1000 % 60, width: 2, ".")
            write(clock % 1000, width: 3, "Z")
            return end
        }
    }

    /// Reads a moment of the years 0–9999 in UTC, with or without up to three fractional digits of the second.
    ///
    /// An offset other than `Z`, a date that is not in the calendar and a leap second are `nil`.
    public init?(_ text: String) {
        guard text.hasSuffix("Z") else { return nil }
        let halves = text.dropLast().split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count == 2, let date = Self.numbers(halves[0], separator: "-", widths: [4, 2, 2]) else {
            return nil
        }
        let time = halves[1].split(separator: ".", omittingEmptySubsequences: false)
        guard time.count <= 2, let clock = Self.numbers(time[0], separator: ":", widths: [2, 2, 2]),
            clock[0] < 24, clock[1] < 60, clock[2] < 60, (1...12).contains(date[1]), date[2] >= 1
        else { return nil }
        let day = Self.day(year: date[0], month: date[1], day: date[2])
        guard Self.date(ofDay: day) == (date[0], date[1], date[2]) else { return nil }
        var fraction: Int64 = 0
        if time.count == 2 {
            guard (1...3).contains(time[1].utf8.count), let digits = Self.number(time[1]) else { return nil }
            fraction = digits * [100, 10, 1][time[1].utf8.count - 1]
        }
        let seconds = day * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
        self.init(milliseconds: seconds * 1000 + fraction)
    }

    /// Reads a moment of the years 0–9999 by RFC 3339, rounded to milliseconds: with `Z` or an offset, and any number of
    /// fractional digits of the second.
    ///
    /// A date that is not in the calendar and a leap second are `nil`.
    package init?(rfc3339 text: String) {
        let text = Substring(text).utf8
        let fraction = text.dropFirst(19).prefix { $0 == UInt8(ascii: ".") || $0.isDigit }
        let zone = text.dropFirst(19 + fraction.count)
        guard let clock = Timestamp(String(Substring(text.prefix(19))) + "Z"), fraction.count != 1,
            fraction.dropFirst().allSatisfy(\.isDigit), let part = Double("0\(Substring(fraction))")
        else { return nil }
        var milliseconds = clock.milliseconds + Int64((part * 1000).rounded())
        if !zone.elementsEqual("Z".utf8) {
            guard let sign = zone.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
                let offset = Timestamp("1970-01-01T\(Substring(zone.dropFirst())):00Z")
            else { return nil }
            milliseconds += sign == UInt8(ascii: "+") ? -offset.milliseconds : offset.milliseconds
        }
        self.init(milliseconds: milliseconds)
        if !Self.years.contains(self) { return nil }
    }

    /// The moments that have a text: 0000-01-01T00:00:00.000Z through 9999-12-31T23:59:59.999Z.
    package static let years =
        Timestamp(milliseconds: -62_167_219_200_000)...Timestamp(milliseconds: 253_402_300_799_999)

    private static func numbers(_ text: Substring, separator: Character, widths: [Int]) -> [Int64]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == widths else { return nil }
        let numbers = parts.compactMap(number)
        return numbers.count == parts.count ? numbers : nil
    }

    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy(\.isDigit) ? Int64(text) : nil
    }

    static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

// The proleptic Gregorian calendar, after Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms": years begin in
// March, so that the leap day is the last, and are counted in eras of 400 years, which all have 146,097 days.
extension Timestamp {
    private static let daysPerEra: Int64 = 146_097
    /// From the first of March of the year 0 to the first of January 1970.
    private static let daysBefore1970: Int64 = 719_468

    private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year.flooredQuotient(by: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * daysPerEra + dayOfEra - daysBefore1970
    }

    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let day = day + daysBefore1970
        let era = day.flooredQuotient(by: daysPerEra)
        let dayOfEra = day - era * daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = (march + 2) % 12 + 1
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * march + 2) / 5 + 1)
    }
}

extension Int64 {
    func flooredQuotient(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

// The dates of HTTP's header fields (RFC 9110, section 5.6.7).
extension Timestamp {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The moment in the preferred form, without milliseconds: `Sat, 17 Oct 2020 18:43:19 GMT`.
    package var httpDate: String {
        let text = description
        let parts = text.prefix(10).split(separator: "-")
        // 1970 began on a Thursday.
        let weekday = milliseconds.flooredQuotient(by: 86_400_000) % 7
        let day = Self.days[Int(weekday < 0 ? weekday + 7 : weekday)]
        let month = Int(parts[1]).map { Self.months[$0 - 1] } ?? ""
        return "\(day), \(parts[2]) \(month) \(parts[0]) \(text.dropFirst(11).prefix(8)) GMT"
    }

    /// Reads a date in any of the three forms: the preferred one, that of RFC 850, and that of C's `asctime`.
    package init?(httpDate text: String) {
        var parts = text.split { " ,-:".contains($0) }.dropFirst().map(String.init)
        if parts.last == "GMT" { parts.removeLast() }
        guard parts.count == 6, let place = parts.firstIndex(where: Self.months.contains), place <= 1,
            let month = Self.months.firstIndex(of: parts[place])
        else { return nil }
        // `asctime` has the month before the day, and the year at the end.
        let (day, year, clock) =
            place == 0 ? (parts[1], parts[5], parts[2...4]) : (parts[0], parts[2], parts[3...5])
        guard let year = Int64(year), let day = Int64(day) else { return nil }
        // RFC 850 has two digits: a year that would be far ahead is one of the last century.
        let fullYear = year >= 100 ? year : year < 70 ? 2000 + year : 1900 + year
        let date = "\(Self.padded(fullYear, 4))-\(Self.padded(Int64(month) + 1, 2))-\(Self.padded(day, 2))"
        self.init(date + "T" + clock.joined(separator: ":") + "Z")
    }
}
