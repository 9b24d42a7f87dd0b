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

extension StringProtocol {
    /// The text without the spaces and tabs at its ends.
    var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let start = self.drop(while: isSpace)
        return String(start.reversed().drop(while: isSpace).reversed())
    }
}
