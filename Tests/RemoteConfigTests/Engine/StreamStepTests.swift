// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Testing

@testable import RemoteConfig

/// The action for a stream's event in a client at revision 5 of epoch 1.
struct StreamStepTests {
    private static let epoch = Epoch(rawValue: 1)
    private static let other = Epoch(rawValue: 2)
    private static let digest = ConfigDigest([("a", .integer(1))])
    private static let otherDigest = ConfigDigest([("a", .integer(2))])

    private static func cursor(_ revision: UInt64, _ epoch: Epoch = epoch) -> RevisionCursor {
        RevisionCursor(epoch: epoch, revision: revision)
    }

    private static func changes(_ from: UInt64, _ to: UInt64, _ digest: ConfigDigest = digest) -> Changeset {
        Changeset(from: from, to: to, digest: digest, upserts: [:], deletes: [])
    }

    @Test(arguments: [
        (StreamEvent.head(cursor(5), digest), StreamStep.nothing),
        (.hello(cursor(5), digest), .nothing),
        (.head(cursor(6), digest), .read),
        (.hello(cursor(5, other), digest), .read),
        (.head(cursor(5), otherDigest), .readWhole(of: epoch)),
        (.reset(cursor(5), digest), .nothing),
        (.reset(cursor(5), otherDigest), .readWhole(of: epoch)),
        (.reset(cursor(1, other), digest), .readWhole(of: other)),
        (.change(changes(5, 6), epoch: epoch), .apply(changes(5, 6), epoch)),
        (.change(changes(6, 7), epoch: epoch), .read),
        (.change(changes(5, 6), epoch: other), .read),
        (.change(changes(3, 4), epoch: epoch), .nothing),
        (.change(changes(4, 5), epoch: epoch), .nothing),
        (.change(changes(4, 5, otherDigest), epoch: epoch), .read),
    ])
    func eventAsksFor(event: StreamEvent, step: StreamStep) {
        #expect(StreamStep(after: event, at: (Self.cursor(5), Self.digest)) == step)
    }

    @Test func clientWithoutStateReads() {
        #expect(StreamStep(after: .head(Self.cursor(5), Self.digest), at: (nil, nil)) == .read)
        #expect(StreamStep(after: .change(Self.changes(0, 1), epoch: Self.epoch), at: (nil, nil)) == .read)
    }
}
