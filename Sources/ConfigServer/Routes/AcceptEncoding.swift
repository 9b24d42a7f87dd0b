/// Which codings a client takes, by RFC 9110, section 12.5.3.
enum AcceptEncoding {
    /// Whether gzip may be sent: it, or `*` in its stead, is listed with a quality above 0.
    static func takesGzip(_ text: String?) -> Bool {
        guard let text, !text.isEmpty else { return false }
        var wildcard: Bool?
        for element in text.split(separator: ",") {
            let parts = element.split(separator: ";").map { $0.trimmed.lowercased() }
            guard let coding = parts.first else { continue }
            let isTaken = parts.dropFirst().allSatisfy { !$0.hasPrefix("q=") || isPositive($0.dropFirst(2)) }
            if coding == "gzip" || coding == "x-gzip" { return isTaken }
            if coding == "*" { wildcard = isTaken }
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
