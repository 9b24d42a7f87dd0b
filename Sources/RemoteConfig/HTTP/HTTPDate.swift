internal import ConfigModel

/// The dates of HTTP's headers (RFC 9110, section 5.6.7).
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Reads a date in any of the three forms: the preferred one, that of RFC 850, and that of C's `asctime`.
    static func parse(_ text: String) -> Timestamp? {
        var parts = text.split { " ,-:".contains($0) }.dropFirst().map(String.init)
        if parts.last == "GMT" { parts.removeLast() }
        guard parts.count == 6, let place = parts.firstIndex(where: months.contains), place <= 1 else { return nil }
        guard let month = months.firstIndex(of: parts[place]) else { return nil }
        // `asctime` has the month before the day, and the year at the end.
        let (day, year, clock) =
            place == 0 ? (parts[1], parts[5], parts[2...4]) : (parts[0], parts[2], parts[3...5])
        guard let year = Int(year) else { return nil }
        // RFC 850 has two digits: a year that would be far ahead is one of the last century.
        let fullYear = year >= 100 ? year : year < 70 ? 2000 + year : 1900 + year
        let date = [padded("\(fullYear)", 4), padded("\(month + 1)", 2), padded(day, 2)].joined(separator: "-")
        return Timestamp(date + "T" + clock.joined(separator: ":") + "Z")
    }

    private static func padded(_ digits: String, _ width: Int) -> String {
        String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
