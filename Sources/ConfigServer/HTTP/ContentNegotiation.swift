/// The media type of a request's body.
enum MediaTypeName: Hashable {
    case json
    case form
    case other

    init(_ text: String) {
        let parts = text.lowercased().split(separator: ";").map(\.trimmed)
        let charsets = parts.dropFirst().filter { $0.hasPrefix("charset=") }
        guard charsets.allSatisfy({ ["charset=utf-8", "charset=\"utf-8\""].contains($0) }) else {
            self = .other
            return
        }
        switch parts.first {
        case Self.json.text: self = .json
        case Self.form.text: self = .form
        default: self = .other
        }
    }

    /// The name; `nil` for any other type.
    var text: String? {
        switch self {
        case .json: "application/json"
        case .form: "application/x-www-form-urlencoded"
        case .other: nil
        }
    }
}

/// The codings that a client accepts (RFC 9110, section 12.5.3).
enum AcceptEncoding {
    /// Whether gzip, or `*` in its place, is listed with a quality above 0.
    static func acceptsGzip(_ text: String?) -> Bool {
        guard let text, !text.isEmpty else { return false }
        var wildcard: Bool?
        for element in text.split(separator: ",") {
            let parts = element.split(separator: ";").map { $0.trimmed.lowercased() }
            guard let coding = parts.first else { continue }
            let isAccepted = parts.dropFirst().allSatisfy { !$0.hasPrefix("q=") || isPositive($0.dropFirst(2)) }
            if coding == "gzip" || coding == "x-gzip" { return isAccepted }
            if coding == "*" { wildcard = isAccepted }
        }
        return wildcard ?? false
    }

    private static func isPositive(_ quality: Substring) -> Bool {
        (Double(quality) ?? 0) > 0
    }
}

extension StringProtocol {
    /// The text without the spaces and tabs at its ends.
    var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let start = self.drop(while: isSpace)
        return String(start.reversed().drop(while: isSpace).reversed())
    }
}
