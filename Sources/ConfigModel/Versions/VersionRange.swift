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

        func names(prereleaseOf other: SemanticVersion) -> Bool {
            version.isPrerelease && version.numbers == other.numbers
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
            guard let bounds = Self.bounds(of: alternative) else { return nil }
            alternatives.append(bounds)
        }
        self.alternatives = alternatives
        self.text = text
    }

    /// - Returns: the bounds of one alternative, all of which must be satisfied; `nil` if the text is not a range.
    private static func bounds(of alternative: Substring) -> [Bound]? {
        let words = alternative.split { $0 == " " || $0 == "\t" }
        if words.count == 3, words[1] == "-" {
            guard let low = Partial(words[0]), let high = Partial(words[2]) else { return nil }
            return low.atLeast + high.atMost
        }
        var bounds: [Bound] = []
        var sign = Substring()
        for var word in words {
            if sign.isEmpty {
                sign = word.prefix { "<>=^~".contains($0) }
                word = word.dropFirst(sign.count)
                // Its version is the next word.
                if word.isEmpty { continue }
            }
            guard let more = Partial(word)?.bounds(sign) else { return nil }
            bounds += more
            sign = ""
        }
        return sign.isEmpty ? bounds : nil
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
    private var lowest: SemanticVersion { version ?? Self.release(numbers) }

    /// A release, of which the numbers that are left out are 0.
    private static func release(_ numbers: [VersionNumber]) -> SemanticVersion {
        let numbers = numbers + [0, 0, 0]
        return SemanticVersion(major: numbers[0], minor: numbers[1], patch: numbers[2])
    }

    /// The first version after all that agree in the first `count` numbers, pre-releases included; `nil` if there is none.
    private func next(after count: Int) -> SemanticVersion? {
        count > 0 ? Self.release(numbers.prefix(count - 1) + [numbers[count - 1].next]) : nil
    }

    /// Below the version and its pre-releases; nothing if there is none.
    private func below(_ version: SemanticVersion?) -> [Bound] {
        guard let version, let bound = SemanticVersion("\(version)-0") else { return [] }
        return [Bound(holds: { $0 < $1 }, version: bound)]
    }

    var atLeast: [Bound] { [Bound(holds: { $0 >= $1 }, version: lowest)] }

    var atMost: [Bound] {
        version.map { [Bound(holds: { $0 <= $1 }, version: $0)] } ?? below(next(after: numbers.count))
    }

    /// The bounds that an operator makes of the version; `nil` for anything but an operator.
    func bounds(_ sign: Substring) -> [Bound]? {
        switch sign {
        case "", "=": return version.map { [Bound(holds: { $0 == $1 }, version: $0)] } ?? atLeast + atMost
        case ">=": return atLeast
        case "<=": return atMost
        case "<": return version.map { [Bound(holds: { $0 < $1 }, version: $0)] } ?? below(lowest)
        case ">":
            if let version { return [Bound(holds: { $0 > $1 }, version: version)] }
            // Nothing is beyond all versions.
            return next(after: numbers.count).map { [Bound(holds: { $0 >= $1 }, version: $0)] } ?? below(lowest)
        // Up to where the first number that is not 0 changes, or the last that is given.
        case "^": return atLeast + below(next(after: 1 + (numbers.firstIndex { $0 != 0 } ?? numbers.count - 1)))
        case "~": return atLeast + below(next(after: min(2, numbers.count)))
        default: return nil
        }
    }
}
