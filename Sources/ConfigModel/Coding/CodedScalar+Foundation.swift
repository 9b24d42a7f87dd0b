// SPDX-License-Identifier: Apache-2.0

internal import Essentials

extension URL: CodedScalar {
    package static var configTypeName: String { "URL such as https://example.com" }
    package static var configSchema: EntryValue { ["type": "string", "format": "uri"] }

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

    /// Date and time by RFC 3339 with `T`, and with `Z` or an offset, without leap seconds.
    package static var configSchema: EntryValue {
        let pattern: EntryValue = #"T[0-9:]{6}[0-5][0-9](\.[0-9]+)?(Z|[+-][0-9:]{5})$"#
        return ["type": "string", "format": "date-time", "pattern": pattern]
    }

    /// Reads a text by RFC 3339, rounded to milliseconds: in UTC or with an offset, with or without fractional digits of the
    /// second.
    package init?(configValue: EntryValue) {
        guard case .string(let text) = configValue, let moment = Timestamp(rfc3339: text) else { return nil }
        self.init(timeIntervalSince1970: Double(moment.milliseconds) / 1000)
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
    package static var configSchema: EntryValue { ["type": "string", "contentEncoding": "base64"] }

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
    package static var configSchema: EntryValue { ["type": "number"] }

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
