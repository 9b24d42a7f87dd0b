public import ConfigModel
public import Foundation

extension RGBColor: ConfigStorable {
    /// Stores `#RRGGBB`.
    public static var configConverter: ValueConverter<RGBColor> { .lossless(typeName: "colour such as #FFB6C1") }
}

extension URL: ConfigStorable {
    /// Stores an absolute URL as its text; anything else is no URL.
    public static var configConverter: ValueConverter<URL> {
        ValueConverter(typeName: "URL such as https://example.com", isText: true) {
            .string($0.absoluteString)
        } decode: {
            guard case .string(let text) = $0 else { return nil }
            return URL(absolute: text)
        }
    }

    init?(absolute text: String) {
        guard let url = URL(string: text, encodingInvalidCharacters: false), url.scheme != nil else { return nil }
        self = url
    }
}

extension Date: ConfigStorable {
    /// Stores the moment in UTC by ISO 8601, such as `2026-11-21T08:30:00.000Z`.
    ///
    /// A moment that this cannot say exactly, because it is finer than a millisecond or outside the years 0–9999, is stored
    /// as the number of seconds since the start of 2001, which may be infinite.
    public static var configConverter: ValueConverter<Date> {
        ValueConverter(typeName: "moment such as 2026-11-21T08:30:00Z", isText: true) { date in
            let text = date.milliseconds.map { Timestamp(milliseconds: $0).description }
            if let text, Date(iso8601: text) == date { return .string(text) }
            return Double.configConverter.json(of: date.timeIntervalSinceReferenceDate)
        } decode: { json in
            switch json {
            case .string(let text):
                Date(iso8601: text) ?? Double(text).map(Date.init(timeIntervalSinceReferenceDate:))
            case .integer(let seconds): Date(timeIntervalSinceReferenceDate: Double(seconds))
            case .double(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
            default: nil
            }
        }
    }

    /// Reads a moment in UTC by ISO 8601.
    init?(iso8601 text: String) {
        guard let moment = Timestamp(text) else { return nil }
        self.init(timeIntervalSince1970: Double(moment.milliseconds) / 1000)
    }

    private var milliseconds: Int64? { Int64(exactly: (timeIntervalSince1970 * 1000).rounded()) }
}

extension SemanticVersion: ConfigStorable {
    /// Stores the version as its text.
    public static var configConverter: ValueConverter<SemanticVersion> { .lossless(typeName: "version such as 1.2.3") }
}
