// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
internal import Foundation

/// The time of a scheduled draft: an instant by RFC 3339, or a local time with a zone by RFC 9557.
package struct ScheduledTime: Hashable, Sendable {
    /// The time as it was given.
    package let text: String
    /// The instant.
    package let instant: Timestamp

    /// Reads a time: `2027-03-28T09:00:00+02:00`, `2027-03-28T09:00:00[Europe/Berlin]`, or with both, of which the offset
    /// selects one of two instants.
    ///
    /// - Throws: the reason, with the two instants to choose from if the local time does not exist or exists twice.
    package init(_ text: String) throws(ScheduleError) {
        self.text = text
        instant = try Self.instant(of: text)
    }

    private static func instant(of text: String) throws(ScheduleError) -> Timestamp {
        guard text.utf8.count <= 128 else { throw .form }
        guard let bracket = text.firstIndex(of: "[") else {
            if let instant = Timestamp(rfc3339: text) { return instant }
            throw .form
        }
        let (time, suffix) = (String(text[..<bracket]), text[bracket...])
        guard suffix.last == "]" else { throw .form }
        let name = String(suffix.dropFirst().dropLast())
        guard let zone = zone(named: name) else { throw .zone(name) }
        if let instant = Timestamp(rfc3339: time) {
            // `Z` leaves the offset open (RFC 9557, section 2.2).
            if time.hasSuffix("Z") || time.hasSuffix("-00:00") { return instant }
            guard let local = localTime(String(time.dropLast("+00:00".count))),
                zone.offset(at: instant) == local.milliseconds - instant.milliseconds
            else { throw .offset(time, name) }
            return instant
        }
        guard let local = localTime(time) else { throw .form }
        // The offsets before and after any change of the day.
        let day: Int64 = 86_400_000
        let offsets = Set([-day, day].map { zone.offset(at: Timestamp(milliseconds: local.milliseconds + $0)) }).sorted(
            by: >
        )
        let instants = offsets.map { Timestamp(milliseconds: local.milliseconds - $0) }
        let valid = instants.filter { $0.milliseconds + zone.offset(at: $0) == local.milliseconds }
        if valid.count == 1 { return valid[0] }
        let choices = (valid.isEmpty ? instants : valid).map { zone.text(of: $0) + "[\(name)]" }
        throw valid.isEmpty ? .missing(text, choices) : .ambiguous(text, choices)
    }

    /// Only names of the database: abbreviations such as `EST` and offsets are none.
    private static func zone(named name: String) -> TimeZone? {
        guard name == "UTC" || name.contains("/"), name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        return TimeZone(identifier: name)
    }

    /// A local time, as the milliseconds that it would be in UTC.
    private static func localTime(_ text: String) -> Timestamp? { Timestamp(rfc3339: text + "Z") }
}

extension TimeZone {
    /// The offset from UTC, in milliseconds.
    fileprivate func offset(at instant: Timestamp) -> Int64 {
        Int64(secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000))) * 1000
    }

    /// The instant with the offset that the zone has then.
    fileprivate func text(of instant: Timestamp) -> String {
        let offset = offset(at: instant)
        let minutes = abs(offset) / 60_000
        let clock = [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
        let local = Timestamp(milliseconds: instant.milliseconds + offset).description.prefix(19)
        return local + (offset < 0 ? "-" : "+") + clock
    }
}

/// The reason why a time cannot be scheduled.
package enum ScheduleError: Error, Hashable {
    /// It has another form.
    case form
    /// The zone is unknown.
    case zone(String)
    /// The zone does not have the offset then.
    case offset(String, String)
    /// The local time is skipped by a change of the clocks; the instants before and after.
    case missing(String, [String])
    /// The local time exists twice; both instants.
    case ambiguous(String, [String])
    /// The instant has passed.
    case past(String)

    /// The reason and the next step.
    package var message: String {
        switch self {
        case .form:
            "a time must be RFC 3339, such as 2027-03-28T09:00:00+02:00, or local with a time zone, such as "
                + "2027-03-28T09:00:00[Europe/Berlin]"
        case .zone(let name):
            "unknown time zone '\(name.excerpt(ofScalars: 64))'; use an IANA name such as Europe/Berlin"
        case .offset(let time, let zone): "the time \(time) has an offset that \(zone) does not have then"
        case .missing(let text, let choices):
            "the local time \(text) is skipped when the clocks change; use \(choices.joined(separator: " or "))"
        case .ambiguous(let text, let choices):
            "the local time \(text) occurs twice when the clocks change; use \(choices.joined(separator: " or "))"
        case .past(let text): "the time \(text) has passed; use a later one"
        }
    }
}
