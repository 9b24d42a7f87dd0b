// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// The dates and times of RFC 3339, section 5.6.
enum DateSyntax {
    /// `full-date`: ten characters.
    static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count == 10 && isMoment(bytes + Array("T00:00:00".utf8))
    }

    /// `date-time`: a date, `T`, a time with or without a fraction of its second, and `Z` or an offset.
    static func isDateTime(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= 20, bytes.dropFirst(10).first.map({ $0.isOne(of: "Tt") }) == true else { return false }
        let (date, clock) = (bytes.prefix(10), bytes.dropFirst(11).prefix(8))
        guard let offset = offset(in: bytes.dropFirst(19)) else { return false }
        if clock.suffix(2).elementsEqual("60".utf8) {
            return isMoment(date + [UInt8(ascii: "T")] + clock.dropLast(2) + Array("59".utf8))
                && isLastMinuteOfDay(clock, offset: offset)
        }
        return isMoment(date + [UInt8(ascii: "T")] + clock)
    }

    /// `full-time`: what follows the date and `T` of a `date-time`.
    static func isTime(_ bytes: ArraySlice<UInt8>) -> Bool { isDateTime(Array("1998-12-31T".utf8) + bytes) }

    /// `duration` of appendix A: units from larger to smaller without gaps, or weeks alone.
    static func isDuration(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return false }
        if rest.last == UInt8(ascii: "W") {
            let weeks = rest.dropLast()
            return !weeks.isEmpty && weeks.allSatisfy(\.isDigit)
        }
        guard skip("YMD", in: &rest) else { return false }
        if rest.isEmpty { return true }
        guard rest.popFirst() == UInt8(ascii: "T"), !rest.isEmpty else { return false }
        return skip("HMS", in: &rest) && rest.isEmpty
    }

    /// Skips numbers with units that follow one another.
    private static func skip(_ units: StaticString, in rest: inout ArraySlice<UInt8>) -> Bool {
        let units = units.withUTF8Buffer(Array.init)
        var next: Int?
        while let first = rest.first, first.isDigit {
            rest = rest.drop(while: \.isDigit)
            guard let unit = rest.popFirst(), let position = units.firstIndex(of: unit), position == next ?? position
            else { return false }
            next = position + 1
        }
        return true
    }

    /// Whether a date and time without an offset are in the calendar and on the clock.
    private static func isMoment(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count == 19 && Timestamp(String(decoding: bytes, as: UTF8.self) + "Z") != nil
    }

    /// The offset of what follows the seconds, in minutes; `nil` if it is not what may follow.
    private static func offset(in bytes: ArraySlice<UInt8>) -> Int? {
        var rest = bytes
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix(while: \.isDigit)
            if digits.isEmpty { return nil }
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let sign = rest.first else { return nil }
        rest.removeFirst()
        if sign.isOne(of: "Zz") { return rest.isEmpty ? 0 : nil }
        guard sign.isOne(of: "+-"), rest.count == 5, rest.dropFirst(2).first == UInt8(ascii: ":"),
            let hours = number(rest.prefix(2)), let minutes = number(rest.suffix(2)), hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }

    /// Leap seconds come at the end of a day in UTC.
    private static func isLastMinuteOfDay(_ clock: ArraySlice<UInt8>, offset: Int) -> Bool {
        guard let hours = number(clock.prefix(2)), let minutes = number(clock.dropFirst(3).prefix(2)) else {
            return false
        }
        return (hours * 60 + minutes - offset + 2 * 1440) % 1440 == 1439
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.allSatisfy(\.isDigit) ? Int(String(decoding: digits, as: UTF8.self)) : nil
    }
}
