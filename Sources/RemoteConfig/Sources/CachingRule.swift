internal import ConfigModel
internal import HTTPTransport

/// When to ask for a document again, from what its server says about its freshness (RFC 9111).
struct CachingRule: Hashable, Sendable {
    /// The shortest interval, whatever the server says.
    var floor: Duration = .seconds(5)
    /// The longest interval, whatever the server says.
    var ceiling: Duration = .seconds(300)
    /// The interval when the server says nothing.
    var usual: Duration = .seconds(30)

    /// How long to wait before the next request.
    ///
    /// `no-cache`, `no-store` and an `Expires` that is no date ask for the freshest there is, within the floor.
    /// `s-maxage` is for shared caches and does not count.
    func interval(after headers: HTTPHeaders, at now: Timestamp) -> Duration {
        statedInterval(after: headers, at: now) ?? usual
    }

    /// The same; `nil` if the server says nothing.
    func statedInterval(after headers: HTTPHeaders, at now: Timestamp) -> Duration? {
        guard let freshness = Self.freshness(of: headers, at: now) else { return nil }
        let age = headers["Age"].flatMap { Int64($0) }.map { max(0, $0) } ?? 0
        let rest = Duration.seconds(max(0, freshness - min(age, freshness)))
        return min(max(rest, floor), ceiling)
    }

    /// How many seconds the answer was fresh for when it was made; `nil` if the server does not say.
    private static func freshness(of headers: HTTPHeaders, at now: Timestamp) -> Int64? {
        let directives = (headers["Cache-Control"] ?? "").lowercased().split(separator: ",").map { directive in
            directive.split(separator: "=", maxSplits: 1).map { $0.filter { !" \t\"".contains($0) } }
        }
        if directives.contains(where: { $0 == ["no-cache"] || $0 == ["no-store"] }) { return 0 }
        if let directive = directives.first(where: { $0.first == "max-age" && $0.count == 2 }) {
            // Too many digits mean very long; no number at all means stale.
            let isNumber = !directive[1].isEmpty && directive[1].allSatisfy { $0.isASCII && $0.isNumber }
            return isNumber ? Int64(directive[1]) ?? .max : 0
        }
        guard let expires = headers["Expires"] else { return nil }
        guard let end = Timestamp(httpDate: expires) else { return 0 }
        let start = headers["Date"].flatMap(Timestamp.init(httpDate:)) ?? now
        return max(0, (end.milliseconds - start.milliseconds) / 1000)
    }
}
