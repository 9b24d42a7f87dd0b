// SPDX-License-Identifier: Apache-2.0

/// A set of versions, written as npm writes it: `>=1.2.0 <2.0.0`, `^1.2`, `~1.2.3`, `1.x || 3.*`.
///
/// | written | means |
/// |---|---|
/// | `1.2.3`, `=1.2.3` | that version |
/// | `1.2`, `1.2.x` | `>=1.2.0 <1.3.0-0` |
/// | `*`, `x`, nothing | every release |
/// | `>1.2`, `>=1.2`, `<1.2`, `<=1.2` | beyond all of 1.2.x, from 1.2.0 on, before 1.2.0, up to all of 1.2.x |
/// | `^1.2.3`, `^0.2.3`, `^0.0.3` | up to the next version that may break: `<2.0.0-0`, `<0.3.0-0`, `<0.0.4-0` |
/// | `~1.2.3`, `~1` | patches: `<1.3.0-0`; minor versions: `<2.0.0-0` |
/// | `1.2 - 2.3` | `>=1.2.0 <2.4.0-0` |
/// | `A B`, `A \|\| B` | both, either |
///
/// A pre-release is in the range only if a bound names a pre-release of the same major, minor and patch version: `>=1.0.0` does
/// not include 2.0.0-alpha, but `>=2.0.0-alpha` does.
public struct VersionRange: Hashable, Sendable {
    /// Each alternative is a conjunction of bounds.
    private let alternatives: [[Bound]]
    private let text: String

    /// Whether a version is in the range.
    public func contains(_ version: SemanticVersion) -> Bool {
        alternatives.contains { bounds in
            bounds.allSatisfy { $0.holds(version, $0.version) }
                && (!version.isPrerelease || bounds.contains { $0.names(prereleaseOf: version) })
        }
    }

    /// A bound on one side.
    fileprivate struct Bound: Sendable {
        let holds: @Sendable (_ other: SemanticVersion, _ version: SemanticVersion) -> Bool
        let version: SemanticVersion
        /// Whether the bound was written with its pre-release, rather than derived from `^` or similar.
        var isWritten = true

        func names(prereleaseOf other: SemanticVersion) -> Bool {
            isWritten && version.isPrerelease && version.numbers == other.numbers
        }
    }
}

extension VersionRange: LosslessStringConvertible {
    /// The range as it was written.
    public var description: String { text }

    /// Parses a range; `nil` if it is not of the form in the table.
    public init?(_ text: String) {
        var alternatives: [[Bound]] = []
        for alternative in text.split(separator: "||", omittingEmptySubsequences: false) {
            var parser = RangeParser(alternative)
            guard let bounds = parser.bounds() else { return nil }
            alternatives.append(bounds)
        }
        self.alternatives = alternatives
        self.text = text
    }

    /// Equal when written alike.
    public static func == (left: VersionRange, right: VersionRange) -> Bool {
        left.text == right.text
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}

extension VersionRange: CodedScalar {
    package static var configTypeName: String { "version range such as ^1.2" }
}

extension VersionRange: Codable {
    /// Reads a string such as `"^1.2"`.
    public init(from decoder: any Decoder) throws { self = try decoder.parsedText() }

    /// Writes a string.
    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

private typealias Bound = VersionRange.Bound

/// Reads one alternative of a ``VersionRange`` into bounds.
private struct RangeParser {
    private var words: [Substring]

    init(_ text: some StringProtocol) {
        words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map { Substring($0) }
    }

    /// - Returns: bounds that must all be satisfied; `nil` if the text is not a range.
    mutating func bounds() -> [Bound]? {
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
    private mutating func comparator() -> [Bound]? {
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

    /// The lowest release that the partial version matches.
    private var lowest: SemanticVersion {
        version ?? SemanticVersion(major: number(0), minor: number(1), patch: number(2))
    }

    private func number(_ index: Int) -> VersionNumber {
        index < numbers.count ? numbers[index] : 0
    }

    /// The first version after all that agree in the first `count` numbers, pre-releases included; `nil` if there is none.
    private func next(after count: Int) -> SemanticVersion? {
        guard count > 0 else { return nil }
        let raised = number(count - 1).next
        switch count {
        case 1: return SemanticVersion(major: raised, minor: 0, patch: 0)
        case 2: return SemanticVersion(major: number(0), minor: raised, patch: 0)
        default: return SemanticVersion(major: number(0), minor: number(1), patch: raised)
        }
    }

    /// Below the version and its pre-releases; nothing if there is none.
    private func below(_ version: SemanticVersion?) -> [Bound] {
        guard let version, let bound = SemanticVersion("\(version)-0") else { return [] }
        return [Bound(holds: { $0 < $1 }, version: bound, isWritten: false)]
    }

    var same: [Bound] {
        version == nil ? atLeast + below(next(after: numbers.count)) : [Bound(holds: { $0 == $1 }, version: lowest)]
    }

    var atLeast: [Bound] { [Bound(holds: { $0 >= $1 }, version: lowest)] }

    var beyond: [Bound] {
        if version != nil { return [Bound(holds: { $0 > $1 }, version: lowest)] }
        guard let next = next(after: numbers.count) else { return below(SemanticVersion(0, 0, 0)) }
        return [Bound(holds: { $0 >= $1 }, version: next)]
    }

    var before: [Bound] { version == nil ? below(lowest) : [Bound(holds: { $0 < $1 }, version: lowest)] }

    var atMost: [Bound] {
        version == nil ? below(next(after: numbers.count)) : [Bound(holds: { $0 <= $1 }, version: lowest)]
    }

    /// Up to where the first number that is not 0 changes, or the last that is given.
    var compatible: [Bound] {
        let firstRelevant = numbers.firstIndex { $0 != 0 } ?? numbers.count - 1
        return atLeast + below(next(after: firstRelevant + 1))
    }

    var patches: [Bound] { atLeast + below(next(after: min(2, numbers.count))) }
}
