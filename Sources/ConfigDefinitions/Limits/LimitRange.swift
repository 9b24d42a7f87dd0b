// SPDX-License-Identifier: Apache-2.0

/// A range with a lowest value, a highest value, or both: `0...1`, `1...` and `...80`, as limits are written.
public protocol LimitRange<Bound> {
    /// The type of the values.
    associatedtype Bound: Comparable

    /// The lowest value in the range; `nil` if there is none.
    var lowest: Bound? { get }
    /// The highest value in the range; `nil` if there is none.
    var highest: Bound? { get }
}

/// The bounds of a range of either kind.
struct Bounds<Bound: Comparable & Sendable>: Sendable {
    let lowest: Bound?
    let highest: Bound?

    init(_ range: some LimitRange<Bound>) { (lowest, highest) = (range.lowest, range.highest) }

    /// Whether a value is in the range; one that compares with none, such as `nan`, is not.
    func holds(_ value: Bound) -> Bool { (lowest.map { $0 <= value } ?? true) && (highest.map { value <= $0 } ?? true) }

    /// What a value in the range is, as a phrase that follows "not": `between 0 and 1`, `1 or more`.
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
    /// What is wrong with a number of parts; `nil` if it is in the range.
    ///
    /// - Parameters:
    ///   - owner: what has them, with a verb, such as `the text has`.
    ///   - part: what one of them is called.
    func problem(_ count: Int, _ owner: String, _ part: String) -> String? {
        holds(count) ? nil : "\(owner) \(count) \(part)\(count == 1 ? "" : "s"), not \(phrase(String.init))"
    }
}

extension ClosedRange: LimitRange {
    /// The lower bound.
    public var lowest: Bound? { lowerBound }
    /// The upper bound.
    public var highest: Bound? { upperBound }
}

extension PartialRangeFrom: LimitRange {
    /// The lower bound.
    public var lowest: Bound? { lowerBound }
    /// None.
    public var highest: Bound? { nil }
}

extension PartialRangeThrough: LimitRange {
    /// None.
    public var lowest: Bound? { nil }
    /// The upper bound.
    public var highest: Bound? { upperBound }
}

/// A type of numbers that can be limited to a range: `Int` and `Double`.
public protocol LimitedNumber: Tweakable, Comparable {
    /// The number as a `Double`, for editors; the nearest, if that has not all digits.
    var asDouble: Double { get }
}

extension Int: LimitedNumber {
    /// The nearest `Double`.
    public var asDouble: Double { Double(self) }
}

extension Double: LimitedNumber {
    /// The number itself.
    public var asDouble: Double { self }
}
