// SPDX-License-Identifier: Apache-2.0

/// The bounds of a range of either kind.
struct Bounds<Bound: Comparable & Sendable>: Sendable {
    let lowest: Bound?
    let highest: Bound?

    /// - Parameter range: a range that includes its bounds; any other is an error in the code, and traps. Sliders need the
    ///   maximum itself.
    init(_ range: some RangeExpression<Bound>) {
        switch range {
        case let range as ClosedRange<Bound>: (lowest, highest) = (range.lowerBound, range.upperBound)
        case let range as PartialRangeFrom<Bound>: (lowest, highest) = (range.lowerBound, nil)
        case let range as PartialRangeThrough<Bound>: (lowest, highest) = (nil, range.upperBound)
        default: preconditionFailure("the range \(range) does not include its upper bound; write 0...9")
        }
    }

    /// Whether a value is in the range; one that compares with none, such as `nan`, is not.
    func holds(_ value: Bound) -> Bool { (lowest.map { $0 <= value } ?? true) && (highest.map { value <= $0 } ?? true) }

    /// The range as a phrase that follows "not": `between 0 and 1`, `1 or more`.
    func phrase(_ text: (Bound) -> String) -> String {
        switch (lowest, highest) {
        case (let lowest?, let highest?): "between \(text(lowest)) and \(text(highest))"
        case (let lowest?, nil): "\(text(lowest)) or more"
        case (nil, let highest?): "\(text(highest)) or less"
        case (nil, nil): "anything"
        }
    }
}

extension Bounds<Int> {
    /// The error for a count outside the range; `nil` if it is in the range.
    ///
    /// - Parameters:
    ///   - owner: the owner of the parts, with a verb, such as `the text has`.
    ///   - part: what one of them is called.
    func problem(_ count: Int, _ owner: String, _ part: String) -> String? {
        holds(count) ? nil : "\(owner) \(count) \(part)\(count == 1 ? "" : "s"), not \(phrase(String.init))"
    }
}
