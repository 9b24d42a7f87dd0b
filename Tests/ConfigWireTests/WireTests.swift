// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Testing

struct WireTests {
    private let cursor = RevisionCursor(epoch: Epoch(rawValue: 1), revision: 7)
    private let change = Changeset(
        from: 3,
        to: 7,
        digest: ConfigDigest([("a.b", .string("\u{2028}😸"))]),
        upserts: ["a.b": .string("\u{2028}😸"), "list": [1, 2.5]],
        deletes: ["gone", "a.c"]
    )

    @Test func answersAreReadAsTheyAreWritten() throws {
        let snapshot = ServerSnapshot(cursor: cursor, digest: change.digest, entries: change.values.upserts)
        for answer in [
            ConfigAnswer.snapshot(snapshot, isReset: false), .snapshot(snapshot, isReset: true),
            .changes(change, epoch: cursor.epoch),
        ] {
            #expect(try ConfigAnswer(json: answer.json) == answer)
        }
    }

    @Test(arguments: [
        #""schema_deletes":["\#u{212A}"]"#, #""schema_upserts":{"\#u{212A}":{}}"#, #""rules":{"\#u{212A}":null}"#,
    ])
    func namesThatOnlyLookLikeKeysAreRefused(member: String) {
        let json =
            #"{"epoch":"0000000000000001","from":3,"to":4,"digest":"0000000000000000","upserts":{},"deletes":[],\#(member)}"#
        let error = #expect(throws: ConfigError.self) { try ConfigAnswer(json: Array(json.utf8)) }
        #expect(error?.code == .invalidKey)
    }

    @Test func eventsAreReadAsTheyAreWritten() throws {
        for event in [
            StreamEvent.hello(cursor, change.digest), .head(cursor, change.digest), .reset(cursor, change.digest),
            .change(change, epoch: cursor.epoch),
        ] {
            #expect(try StreamEvent(name: event.name, data: event.json) == event)
            #expect(event.cursor == cursor)
            #expect(!event.json.contains(UInt8(ascii: "\n")))
        }
    }

    @Test func anAnswerHasTheMembersOfTheProtocol() {
        #expect(
            String(decoding: ConfigAnswer.changes(change, epoch: cursor.epoch).json, as: UTF8.self)
                == #"{"epoch":"0000000000000001","from":3,"to":7,"digest":"\#(change.digest)","#
                + #""upserts":{"a.b":"\#u{2028}😸","list":[1,2.5]},"deletes":["a.c","gone"]}"#
        )
    }

    @Test func membersAndEventsOfNewerProgramsArePassedOver() throws {
        let json =
            #"{"new": [{"a": ["}", 1e5, null]}, []], "epoch":"0000000000000001","revision":7,"digest":"0000000000000000","entries":{}}"#
        #expect(
            try ConfigAnswer(json: Array(json.utf8))
                == .snapshot(ServerSnapshot(cursor: cursor, digest: ConfigDigest(), entries: [:]), isReset: false)
        )
        #expect(try StreamEvent(name: "news", data: []) == nil)
    }

    @Test(arguments: [
        "", "[]", "{}", "<html>", #"{"epoch":"0000000000000001"}"#,
        #"{"epoch":"1","revision":7,"digest":"0000000000000000","entries":{}}"#,
        #"{"epoch":"0000000000000001","revision":-7,"digest":"0000000000000000","entries":{}}"#,
        #"{"epoch":"0000000000000001","revision":7.5,"digest":"0000000000000000","entries":{}}"#,
        #"{"epoch":"0000000000000001","revision":7,"digest":"0000000000000000","entries":{"..":1}}"#,
        #"{"epoch":"0000000000000001","revision":7,"digest":"0000000000000000","entries":{"a":null}}"#,
        #"{"epoch":"0000000000000001","revision":7,"revision":8,"digest":"0000000000000000","entries":{}}"#,
        #"{"epoch":"0000000000000001","from":7,"to":6,"digest":"0000000000000000","upserts":{},"deletes":[]}"#,
        #"{"epoch":"0000000000000001","revision":7,"digest":"0000000000000000","entries":{}}}"#,
        #"{"x":]"#, #"{"x":"#, #"{"x":[}"#,
    ])
    func rejectsInvalidAnswers(json: String) {
        #expect(throws: ConfigError.self) { try ConfigAnswer(json: Array(json.utf8)) }
    }
}
