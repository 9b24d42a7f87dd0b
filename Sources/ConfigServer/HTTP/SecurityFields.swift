// SPDX-License-Identifier: Apache-2.0

/// The fields of every answer that restrict what browsers may do with it: it is data and no page, so it loads and runs nothing,
/// and no page frames it.
enum SecurityFields {
    /// The lines of the fields, each with its end.
    static let lines = [
        "x-content-type-options: nosniff",
        "content-security-policy: default-src 'none'; frame-ancestors 'none'",
        "referrer-policy: no-referrer",
        "cross-origin-resource-policy: same-site",
    ].map { $0 + "\r\n" }.joined()
}
