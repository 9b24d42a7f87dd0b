internal import ConfigModel

/// The moment as HTTP's `Date` field has it: `Sat, 17 Oct 2020 18:43:19 GMT` (RFC 9110, section 5.6.7).
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static func string(of moment: Timestamp) -> String {
        let text = moment.description
        let parts = text.prefix(10).split(separator: "-")
        // 1970 began on a Thursday.
        let day = days[Int((moment.milliseconds / 86_400_000) % 7)]
        let month = Int(parts[1]).map { months[$0 - 1] } ?? ""
        return "\(day), \(parts[2]) \(month) \(parts[0]) \(text.dropFirst(11).prefix(8)) GMT"
    }
}
