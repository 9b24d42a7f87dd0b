// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import Essentials

extension URL: EntryValueConvertible, CodedScalar {
    /// `URL such as https://example.com`.
    public static var configTypeName: String { "URL such as https://example.com" }

    /// Reads a text that is an ``AbsoluteURL``; nothing is mended or escaped.
    public init?(configValue: EntryValue) {
        guard case .string(let text) = configValue, let url = AbsoluteURL(configString: text)?.url else { return nil }
        self = url
    }

    static var rule: String { "any URL can be written" }
    var entryValue: EntryValue? { .string(absoluteString) }
}

extension Date: EntryValueConvertible, CodedScalar {
    /// `moment such as 2026-11-21T08:30:00Z`.
    public static var configTypeName: String { "moment such as 2026-11-21T08:30:00Z" }

    /// Reads a text by ISO 8601: in UTC with up to three fractional digits of the second, or whole seconds with an offset.
    public init?(configValue: EntryValue) {
        guard case .string(let text) = configValue else { return nil }
        if let moment = Timestamp(text) {
            self.init(timeIntervalSince1970: Double(moment.milliseconds) / 1000)
        } else {
            // A text that is no date is no value of the type, which the caller reports.
            guard let date = try? Date(text, strategy: .iso8601) else { return nil }
            self = date
        }
    }

    static var rule: String { "a moment has to be in the years 0–9999" }

    /// The moment in UTC, rounded to milliseconds.
    var entryValue: EntryValue? {
        guard let milliseconds = Int64(exactly: (timeIntervalSince1970 * 1000).rounded()) else { return nil }
        let moment = Timestamp(milliseconds: milliseconds)
        let text = moment.description
        guard Timestamp(text) == moment else { return nil }
        return .string(text.hasSuffix(".000Z") ? text.dropLast(5) + "Z" : text)
    }
}

extension Data: EntryValueConvertible, CodedScalar {
    /// `text of Base64`.
    public static var configTypeName: String { "text of Base64" }

    /// Reads a text of Base64 by RFC 4648, section 4.
    public init?(configValue: EntryValue) {
        guard case .string(let text) = configValue else { return nil }
        self.init(base64Encoded: text)
    }

    static var rule: String { "any bytes can be written" }
    var entryValue: EntryValue? { .string(base64EncodedString()) }
}

extension Decimal: EntryValueConvertible, CodedScalar {
    /// `number`.
    public static var configTypeName: String { "number" }

    /// Reads a number by its shortest digits: 0.1 is 0.1.
    public init?(configValue: EntryValue) {
        switch configValue {
        case .integer, .double: self.init(string: configValue.canonicalJSON)
        default: return nil
        }
    }

    static var rule: String { "a number has to have no more digits than a double keeps; write it as a string" }
    // The caller reports the `rule` that the number breaks.
    var entryValue: EntryValue? { try? EntryValue(json: Array(description.utf8)) }
}
