// SPDX-License-Identifier: Apache-2.0

internal import Essentials

extension URL: CodedScalar {
    package static var configTypeName: String { "URL such as https://example.com" }

    /// Reads an absolute address by RFC 3986; nothing is repaired or escaped.
    ///
    /// Foundation's `URL` takes nearly every text for an address, as one that is relative to another.
    package init?(configValue: EntryValue) {
        guard case .string(let text) = configValue, let url = URL(string: text, encodingInvalidCharacters: false),
            let scheme = url.scheme?.lowercased(), !scheme.isEmpty
        else { return nil }
        if ["http", "https", "ws", "wss"].contains(scheme), (url.host() ?? "").isEmpty { return nil }
        self = url.absoluteURL
    }

    package var entryValue: EntryValue? { .string(absoluteString) }
}

extension Date: CodedScalar {
    package static var configTypeName: String { "date and time such as 2026-11-21T08:30:00Z" }

    /// Reads a text by ISO 8601: in UTC with up to three fractional digits of the second, or whole seconds with an offset.
    package init?(configValue: EntryValue) {
        guard case .string(let text) = configValue else { return nil }
        if let moment = Timestamp(text) {
            self.init(timeIntervalSince1970: Double(moment.milliseconds) / 1000)
        } else {
            // A text that is no date is no value of the type, which the caller reports.
            guard let date = try? Date(text, strategy: .iso8601) else { return nil }
            self = date
        }
    }

    package static var rule: String { "a date must be in the years 0–9999" }

    /// The moment in UTC, rounded to milliseconds.
    package var entryValue: EntryValue? {
        guard let milliseconds = Int64(exactly: (timeIntervalSince1970 * 1000).rounded()) else { return nil }
        let moment = Timestamp(milliseconds: milliseconds)
        let text = moment.description
        guard Timestamp(text) == moment else { return nil }
        return .string(text.hasSuffix(".000Z") ? text.dropLast(5) + "Z" : text)
    }
}

extension Data: CodedScalar {
    package static var configTypeName: String { "Base64 string" }

    /// Reads a text of Base64 by RFC 4648, section 4.
    package init?(configValue: EntryValue) {
        guard case .string(let text) = configValue else { return nil }
        self.init(base64Encoded: text)
    }

    package static var rule: String { "any bytes can be written" }
    package var entryValue: EntryValue? { .string(base64EncodedString()) }
}

extension Decimal: CodedScalar {
    package static var configTypeName: String { "number" }

    /// Reads a number by its shortest digits: 0.1 is 0.1.
    package init?(configValue: EntryValue) {
        switch configValue {
        case .integer, .double: self.init(string: configValue.canonicalJSON)
        default: return nil
        }
    }

    package static var rule: String {
        "a number must not have more digits than a double preserves; encode it as a string"
    }
    // The caller reports the `rule` that the number breaks.
    package var entryValue: EntryValue? { try? EntryValue(json: Array(description.utf8)) }
}
