// SPDX-License-Identifier: Apache-2.0

/// The fields of a response that restrict what browsers may do with it.
struct SecurityFields: Hashable, Sendable {
    /// The lines of the fields, each with its end.
    let lines: String

    /// Of data, which is no page: it loads and runs nothing, and no page frames it.
    static let data = SecurityFields(policy: "default-src 'none'; frame-ancestors 'none'")

    /// - Parameter policy: the value of `Content-Security-Policy`.
    init(policy: String) {
        let fields = [
            ("x-content-type-options", "nosniff"),
            ("content-security-policy", policy),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-site"),
        ]
        lines = fields.map { "\($0): \($1)\r\n" }.joined()
    }
}
