// SPDX-License-Identifier: Apache-2.0

extension Double {
    /// The number with one decimal.
    package var oneDecimal: String {
        let tenths = Int((self * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
