/// The addresses in the fields by which proxies say for whom they ask, in order; `nil` for one that is hidden or
/// malformed.
enum ForwardedNodes {
    /// Reads `X-Forwarded-For: 203.0.113.7, 10.0.0.1`.
    static func forwardedFor(_ fields: [String]) -> [IPAddress?] {
        fields.flatMap { split($0, at: ",") }.map(address)
    }

    /// Reads `Forwarded: for=203.0.113.7;proto=https, for="[2001:db8::1]:4711"` (RFC 7239, section 4).
    static func forwarded(_ fields: [String]) -> [IPAddress?] {
        fields.flatMap { split($0, at: ",") }.map { element in
            let values = split(element, at: ";").compactMap { pair -> String? in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, parts[0].trimmed.lowercased() == "for" else { return nil }
                return unquoted(parts[1].trimmed)
            }
            return values.count == 1 ? address(values[0]) : nil
        }
    }

    /// The parts between separators that stand outside of quotes.
    private static func split(_ text: String, at separator: Unicode.Scalar) -> [String] {
        var parts = [String.UnicodeScalarView()]
        var (isQuoted, isEscaped) = (false, false)
        for scalar in text.unicodeScalars {
            if scalar == separator, !isQuoted {
                parts.append(.init())
                continue
            }
            parts[parts.count - 1].append(scalar)
            if isEscaped {
                isEscaped = false
            } else if scalar == "\"" {
                isQuoted.toggle()
            } else if scalar == "\\", isQuoted {
                isEscaped = true
            }
        }
        return parts.map { String($0).trimmed }.filter { !$0.isEmpty }
    }

    private static func unquoted(_ text: String) -> String {
        guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        return String(text.dropFirst().dropLast()).replacing("\\", with: "")
    }

    /// Reads `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:80`.
    private static func address(_ node: String) -> IPAddress? {
        if node.hasPrefix("[") {
            let parts = node.dropFirst().split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[1].isEmpty || parts[1].hasPrefix(":") else { return nil }
            return IPAddress(String(parts[0]))
        }
        if let address = IPAddress(node) { return address }
        let parts = node.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? IPAddress(String(parts[0])) : nil
    }
}
