// SPDX-License-Identifier: Apache-2.0

extension EntryValue {
    /// The largest magnitude of an integer: 2^53 − 1, as in RFC 7493 (I-JSON), section 2.2.
    public static let maximumInteger = 9_007_199_254_740_991

    /// The maximum size of a value as canonical JSON: 65,535 bytes.
    public static let maximumBytes = 65_535

    /// The maximum nesting of arrays and objects: 32 levels.
    public static let maximumDepth = 32
}
