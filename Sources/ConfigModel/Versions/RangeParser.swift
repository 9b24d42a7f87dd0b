/// Reads one alternative of a ``VersionRange`` into bounds.
struct RangeParser {
    private typealias Bound = VersionRange.Bound
    private var words: [Substring]

    init(_ text: some StringProtocol) {
        words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map { Substring($0) }
    }

    /// - Returns: bounds that must all hold; `nil` if the text is not a range.
    mutating func bounds() -> [VersionRange.Bound]? {
        if words.count == 3, words[1] == "-" {
            guard let low = Partial(words[0]), let high = Partial(words[2]) else { return nil }
            return low.atLeast + high.atMost
        }
        var bounds: [Bound] = []
        while !words.isEmpty {
            guard let comparator = comparator() else { return nil }
            bounds += comparator
        }
        return bounds
    }

    /// Reads an operator, which may be separated by spaces, and its version.
    private mutating func comparator() -> [VersionRange.Bound]? {
        var word = words.removeFirst()
        let sign = word.prefix { "<>=^~".contains($0) }
        word = word.dropFirst(sign.count)
        if word.isEmpty {
            guard !sign.isEmpty, !words.isEmpty else { return nil }
            word = words.removeFirst()
        }
        guard let version = Partial(word) else { return nil }
        switch sign {
        case "", "=": return version.same
        case ">": return version.beyond
        case ">=": return version.atLeast
        case "<": return version.before
        case "<=": return version.atMost
        case "^": return version.compatible
        case "~": return version.patches
        default: return nil
        }
    }
}

/// A version of which the last numbers may be left out: `1`, `1.2`, `1.x`, `*`.
private struct Partial {
    var numbers: [VersionNumber]
    /// The whole version where nothing was left out.
    var version: SemanticVersion?

    init?(_ text: Substring) {
        if let version = SemanticVersion(String(text)) {
            self.version = version
            numbers = [version.major, version.minor, version.patch]
            return
        }
        numbers = []
        var isOpen = false
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        for part in parts {
            if ["x", "X", "*"].contains(part) {
                isOpen = true
            } else {
                guard !isOpen, let number = VersionNumber(String(part)) else { return nil }
                numbers.append(number)
            }
        }
        if numbers.count == 3 { return nil }
    }

    /// The lowest release that is meant.
    private var lowest: SemanticVersion {
        version ?? SemanticVersion(number(0), number(1), number(2))
    }

    private func number(_ index: Int) -> VersionNumber {
        index < numbers.count ? numbers[index] : 0
    }

    /// What comes after every version that agrees in so many numbers, with its pre-releases; `nil` after all.
    private func next(after count: Int) -> SemanticVersion? {
        guard count > 0 else { return nil }
        let raised = number(count - 1).next
        switch count {
        case 1: return SemanticVersion(raised, 0, 0)
        case 2: return SemanticVersion(number(0), raised, 0)
        default: return SemanticVersion(number(0), number(1), raised)
        }
    }

    /// Below the version and its pre-releases; nothing if there is none.
    private func below(_ version: SemanticVersion?) -> [VersionRange.Bound] {
        guard let version, let bound = SemanticVersion("\(version)-0") else { return [] }
        return [VersionRange.Bound(relation: .less, version: bound, isWritten: false)]
    }

    private func bound(_ relation: VersionRange.Bound.Relation) -> [VersionRange.Bound] {
        [VersionRange.Bound(relation: relation, version: lowest)]
    }

    var same: [VersionRange.Bound] {
        version == nil ? atLeast + below(next(after: numbers.count)) : bound(.equal)
    }

    var atLeast: [VersionRange.Bound] {
        bound(.greaterOrEqual)
    }

    var beyond: [VersionRange.Bound] {
        if version != nil { return bound(.greater) }
        guard let next = next(after: numbers.count) else { return below(SemanticVersion(0, 0, 0)) }
        return [VersionRange.Bound(relation: .greaterOrEqual, version: next)]
    }

    var before: [VersionRange.Bound] {
        version == nil ? below(lowest) : bound(.less)
    }

    var atMost: [VersionRange.Bound] {
        version == nil ? below(next(after: numbers.count)) : bound(.lessOrEqual)
    }

    /// Up to where the first number that is not 0 changes, or the last that is given.
    var compatible: [VersionRange.Bound] {
        let firstRelevant = numbers.firstIndex { $0 != 0 } ?? numbers.count - 1
        return atLeast + below(next(after: firstRelevant + 1))
    }

    var patches: [VersionRange.Bound] {
        atLeast + below(next(after: min(2, numbers.count)))
    }
}
