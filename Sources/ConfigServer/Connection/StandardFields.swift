/// The fields that every answer has: this is data, not a page, and nothing is to guess at it or to frame it.
enum StandardFields {
    /// Names and values.
    static let all: [(name: String, value: String)] = [
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-site"),
    ]

    /// The same as lines.
    static let lines = all.map { "\($0.name): \($0.value)\r\n" }.joined()
}
