// SPDX-License-Identifier: Apache-2.0

/// The kinds of emoji that consist of several characters. Terminals differ in which of them they show as one cluster of two
/// columns.
struct ClusterKinds: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// A flag of two regional indicators.
    static let flags = ClusterKinds(rawValue: 1)
    /// Emoji joined by U+200D, and flags of tags, which terminals join by the same rules.
    static let joined = ClusterKinds(rawValue: 2)
    /// An emoji with a skin tone.
    static let tones = ClusterKinds(rawValue: 4)
    /// A character that U+FE0F makes an emoji.
    static let presentations = ClusterKinds(rawValue: 8)
    /// A digit in a frame.
    static let keycaps = ClusterKinds(rawValue: 16)

    /// All clusters, by the rules of Unicode.
    static let all: ClusterKinds = [.flags, .joined, .tones, .presentations, .keycaps]
}

extension Character {
    /// The features that a terminal needs to show the emoji whole; empty for anything else.
    var clusterKinds: ClusterKinds {
        // No sequence is shorter, and next to everything on a screen is.
        guard utf8.count > 4, isEmojiSequence || unicodeScalars.contains(where: \.isTag) else { return [] }
        let kinds = unicodeScalars.reduce(into: ClusterKinds()) { $0.formUnion($1.clusterKind) }
        return kinds.contains(.keycaps) ? .keycaps : kinds
    }
}

extension Unicode.Scalar {
    /// The effect of the character on the sequence that contains it.
    fileprivate var clusterKind: ClusterKinds {
        if isRegionalIndicator { return .flags }
        if isSkinTone { return .tones }
        if self == .zeroWidthJoiner || isTag { return .joined }
        if self == .emojiPresentation { return .presentations }
        return self == "\u{20E3}" ? .keycaps : []
    }
}

/// Measures which emoji a terminal shows as one: each sample is written, followed by a query of the cursor's position.
struct ClusterProbe {
    /// A single indicator comes first: only if a flag takes as many columns as that, two of them are one.
    static let samples: [(text: String, kinds: ClusterKinds)] = [
        ("\u{1F1EA}", []), ("\u{1F1EA}\u{1F1FA}", .flags), ("\u{1F469}\u{200D}\u{1F680}", .joined),
        ("\u{1F44D}\u{1F3FD}", .tones), ("\u{2764}\u{FE0F}", .presentations), ("1\u{FE0F}\u{20E3}", .keycaps),
    ]

    /// The maximum width that a terminal gives to a sample, with one to spare, in columns.
    static let room = 6

    /// The columns that the samples took, as far as they were reported.
    private(set) var widths: [Int] = []

    var isComplete: Bool { widths.count == Self.samples.count }

    /// - Parameter column: where the cursor was reported after the next sample, from 1.
    mutating func receive(column: Int) { widths.append(max(column, 1) - 1) }

    /// The kinds that the terminal shows as one cluster, in two columns.
    var kinds: ClusterKinds {
        guard isComplete else { return [] }
        let held = zip(Self.samples, widths).filter { $1 == 2 }.reduce(ClusterKinds()) { $0.union($1.0.kinds) }
        return widths[0] == 2 ? held : held.subtracting(.flags)
    }
}
