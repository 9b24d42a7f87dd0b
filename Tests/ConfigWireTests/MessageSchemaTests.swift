// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import ConfigWire

/// The schemas of messages against their encodings. The declaration of a ``WireMessage`` gives both: two of them are enough.
struct MessageSchemaTests {
    private static let cursor = RevisionCursor(epoch: Epoch(rawValue: 1), revision: 7)
    private static let time = Timestamp(milliseconds: 0)
    private static let rule: EntryValue = ["variants": ["x": 1]]

    private static func entry(_ kind: EntryKind, _ value: EntryValue) -> EntryMessage {
        EntryMessage(kind, key: "k", value: value, revision: 1, createdAt: time, updatedAt: time)
    }

    /// Messages that have all of their members, and those with the fewest.
    private static let messages: [(schema: WireSchema, full: [[UInt8]], least: [UInt8]?)] = [
        (
            ConfigAnswer.schema,
            [
                ConfigAnswer.json(of: [], rules: ["k": rule], at: cursor, ConfigDigest(), schemas: [:], isReset: true),
                ConfigAnswer.changes(
                    Changeset(
                        from: 1,
                        to: 2,
                        digest: ConfigDigest(),
                        upserts: [:],
                        deletes: [],
                        schemas: EntryChanges(upserts: ["k": true], deletes: [])
                    ),
                    epoch: cursor.epoch
                ).json,
            ],
            nil
        ),
        (
            EntryList.schema(.schema),
            [EntryList(.schema, [entry(.schema, true)], at: cursor).json],
            EntryList(.schema, [], at: cursor).json
        ),
        (
            ProblemDetails.schema,
            [
                ProblemDetails(
                    type: "t",
                    title: "t",
                    status: 422,
                    detail: "d",
                    key: "k",
                    field: "f",
                    location: "1:1",
                    revision: 1,
                    age: 1,
                    violations: [ViolationMessage(pointer: "", message: "m")]
                ).json,
                conflict.json,
            ],
            ProblemDetails(type: "t", title: "t", status: 422, detail: "d").json
        ),
        (
            OFREPFlags.schema,
            [OFREPFlags.json(flags: Array("[]".utf8), namespace: "n", revision: 1, events: "/")], nil
        ),
        (
            OFREPFailure.schema, [OFREPFailure(key: "k", code: "GENERAL", details: "d").json],
            OFREPFailure(key: nil, code: "GENERAL", details: "d").json
        ),
        (
            InsertedRow.schema, [InsertedRow.json(id: 1, key: "k", value: 1)],
            InsertedRow.json(id: 1, key: "k", value: 1)
        ),
    ]

    private static let conflict = {
        var problem = ProblemDetails(type: "t", title: "t", status: 409, detail: "d")
        problem.conflicts = [DraftMessage.Operation()]
        return problem
    }()

    private static func names(_ json: [UInt8]) throws -> Set<String> {
        var names: Set<String> = []
        try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
            names.insert(name)
            try scanner.skipValue()
        }
        return names
    }

    @Test func aSchemaListsTheMembersThatAreWritten() throws {
        for (schema, full, least) in Self.messages {
            guard case .object(let properties)? = schema.keywords["properties"],
                case .array(let required) = schema.keywords["required"] ?? []
            else {
                Issue.record("\(schema.name ?? "") is no object")
                continue
            }
            let written = try full.reduce(into: Set()) { $0.formUnion(try Self.names($1)) }
            #expect(written == Set(properties.map(\.key)), "\(schema.name ?? "")")
            guard let least else { continue }
            #expect(Set(try Self.names(least).map { EntryValue.string($0) }) == Set(required), "\(schema.name ?? "")")
        }
    }
}
