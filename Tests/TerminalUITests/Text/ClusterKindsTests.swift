// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TerminalUI

struct ClusterKindsTests {
    static let sequences: [(text: String, kinds: ClusterKinds)] = [
        ("🇩🇪", .flags), ("👩‍🚀", .joined), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", .joined), ("👍🏽", .tones), ("👩🏽‍🚀", [.tones, .joined]),
        ("❤️", .presentations), ("❤️‍🔥", [.presentations, .joined]), ("1️⃣", .keycaps), ("#️⃣", .keycaps),
    ]

    @Test(arguments: sequences)
    func sequenceNeedsTheKindsOfItsParts(text: String, kinds: ClusterKinds) {
        #expect(Character(text).clusterKinds == kinds)
    }

    @Test(arguments: ["😸", "a", "é", "e\u{301}\u{302}\u{303}", "क्ष", "각", "🇩", "☁︎"])
    func singleCharactersNeedNothing(text: String) {
        #expect(Character(text).clusterKinds == [])
    }

    /// The columns as xterm 379 reports them, where two narrow indicators are not a flag; as kitty 0.26 does; and as
    /// what counts by cluster does.
    static let reports: [(widths: [Int], kinds: ClusterKinds)] = [
        ([1, 2, 4, 4, 1, 1], []), ([2, 2, 4, 2, 2, 2], [.flags, .tones, .presentations, .keycaps]),
        ([2, 2, 2, 2, 2, 2], .all), ([2, 2, 2, 2, 2], []),
    ]

    @Test(arguments: reports)
    func kindsFollowFromMeasuredWidths(widths: [Int], kinds: ClusterKinds) {
        var probe = ClusterProbe()
        for width in widths { probe.receive(column: width + 1) }
        #expect(probe.kinds == kinds)
    }

    @Test(arguments: [Int.min, -1, 0, .max])
    func columnsThatNoTerminalHasMeasureNothing(column: Int) {
        var probe = ClusterProbe()
        for _ in ClusterProbe.samples { probe.receive(column: column) }
        #expect(probe.isComplete && probe.kinds == [])
    }
}
