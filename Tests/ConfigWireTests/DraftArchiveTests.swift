// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Testing

struct DraftArchiveTests {
    private static func archive() throws -> DraftArchive {
        var draft = DraftMessage()
        (draft.summary.title, draft.message) = ("Sky", "for Monday")
        draft.summary.applyAt = "2027-03-28T09:00:00[Europe/Berlin]"
        let proposals: [(String, EntryValue?)] = [
            ("a", 1), ("b", nil), (EntryKind.schema.key(of: "a"), ["type": "integer"]),
            (EntryKind.rule.key(of: "a"), nil),
        ]
        draft.operations = proposals.map { key, value in
            var operation = DraftMessage.Operation()
            (operation.key, operation.proposed) = (key, value)
            return operation
        }
        var archive = DraftArchive()
        let policy = #"{"approvals":2,"direct":"emergency"}"#
        archive.policy = try PolicyMessage(json: Array(policy.utf8)).policy
        archive.drafts = [DraftRequest(of: draft)]
        return archive
    }

    @Test func aDraftIsProposedAgainWithEachOfItsOperations() throws {
        let draft = try #require(try Self.archive().drafts.first)
        #expect(draft.set == ["a": 1] && draft.unset == ["b"])
        #expect(draft.schemas == ["a": ["type": "integer"]] && draft.rules == ["a": EntryValue?.none])
        #expect(draft.title == "Sky" && draft.message == "for Monday")
        #expect(draft.applyAt == "2027-03-28T09:00:00[Europe/Berlin]")
    }

    @Test func readersOfTheValuesSkipDraftsAndPolicy() throws {
        let archive = try Self.archive()
        var json = JSONWriter()
        json.document([(key: "a", value: 0)], isExact: true, more: archive.writeMembers)
        #expect(try DraftArchive(json: json.bytes) == archive)
        let document = try ConfigDocument(json: json.bytes, source: "shop.json")
        #expect(document.keys == ["a"] && document.problems.isEmpty)
    }
}
