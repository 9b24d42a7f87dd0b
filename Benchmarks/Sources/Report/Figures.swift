// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Duration {
    /// The duration in milliseconds.
    var milliseconds: Double { self / .milliseconds(1) }
}

extension Double {
    /// The number with this many digits after the point.
    func text(_ digits: Int) -> String {
        String(format: "%.\(digits)f", self)
    }
}

extension Int {
    /// The number with its thousands set apart: `12,345`.
    var grouped: String {
        let digits = Array(String(magnitude))
        let grouped = digits.enumerated().map { index, digit in
            index > 0 && (digits.count - index).isMultiple(of: 3) ? ",\(digit)" : "\(digit)"
        }
        return (self < 0 ? "-" : "") + grouped.joined()
    }
}
