// The dates of HTTP's header fields (RFC 9110, section 5.6.7).
extension Timestamp {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The moment in the form that is to be sent, without its milliseconds: `Sat, 17 Oct 2020 18:43:19 GMT`.
    package var httpDate: String {
        let text = description
        let parts = text.prefix(10).split(separator: "-")
        // 1970 began on a Thursday.
        let sinceThursday = milliseconds.flooredQuotient(by: 86_400_000) % 7
        let day = Self.days[Int(sinceThursday < 0 ? sinceThursday + 7 : sinceThursday)]
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
