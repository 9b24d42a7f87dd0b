// SPDX-License-Identifier: Apache-2.0

/// Whether two values are equal and their texts have the same bytes.
///
/// To Swift, texts are equal that differ in their normal form, such as é in one scalar and in two, so that `==` alone would
/// pass over an edit. Texts are found in structures, enumerations, tuples and collections, and not in objects. NaN is the same
/// as NaN, which `==` would report as a change again and again.
package func areSame<Value: Equatable>(_ left: Value, _ right: Value) -> Bool {
    guard left == right else {
        // The comparison with itself is quick, and rules out almost all: a cast takes a tenth of the time of a change.
        return left != left && isNaN(left) && isNaN(right)
    }
    // Numbers, flags and structures of them contain no texts. Reflection takes microseconds, and a search of the whole program
    // for each new type: most values that are compared are one value, which was kept.
    if _isPOD(Value.self) || haveSameBytes(left, right) { return true }
    if let left = left as? String, let right = right as? String { return left.utf8.elementsEqual(right.utf8) }
    var (texts, others): ([String], [String]) = ([], [])
    collectTexts(in: left, &texts)
    collectTexts(in: right, &others)
    return texts.elementsEqual(others) { $0.utf8.elementsEqual($1.utf8) }
}

/// Whether the two values are one in memory: the same numbers, and references to the same objects.
///
/// Values that are equal may differ in it, such as two copies of a long text.
private func haveSameBytes<Value>(_ left: Value, _ right: Value) -> Bool {
    withUnsafeBytes(of: left) { left in withUnsafeBytes(of: right) { left.elementsEqual($0) } }
}

private func isNaN(_ value: Any) -> Bool { (value as? any FloatingPoint)?.isNaN ?? false }

private func collectTexts(in value: Any, _ texts: inout [String]) {
    if let text = value as? any StringProtocol { return texts.append(String(text)) }
    if let character = value as? Character { return texts.append(String(character)) }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle != .class else { return }
    if mirror.displayStyle == .dictionary || mirror.displayStyle == .set {
        return collectUnorderedTexts(in: mirror.children, &texts)
    }
    for child in mirror.children {
        collectTexts(in: child.value, &texts)
        // Of numbers, the others in a collection have no texts either.
        if mirror.displayStyle == .collection, Mirror(reflecting: child.value).displayStyle == nil,
            !(child.value is any StringProtocol), !(child.value is Character)
        {
            return
        }
    }
}

/// Collects the texts of elements that equal values may have in different orders.
private func collectUnorderedTexts(in elements: Mirror.Children, _ texts: inout [String]) {
    var parts: [[String]] = []
    for element in elements {
        var part: [String] = []
        collectTexts(in: element.value, &part)
        if !part.isEmpty { parts.append(part) }
    }
    parts.sort { $0.lexicographicallyPrecedes($1) { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
    // The counts keep the texts of one element apart from those of the next.
    for part in parts { texts += [String(part.count)] + part }
}

/// A value that is compared by ``areSame(_:_:)``.
package struct Same<Value: Equatable>: Equatable {
    package let value: Value

    package init(_ value: Value) { self.value = value }

    package static func == (left: Same, right: Same) -> Bool { areSame(left.value, right.value) }
}

extension Same: Sendable where Value: Sendable {}
