// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// A parameter of routes: a part of the path, a parameter of the query or a header field.
package struct WireParameter: Sendable {
    enum Place: String {
        case path, query, header
    }

    /// The name among the description's components.
    let identifier: String
    /// The name in requests.
    package let name: String
    let place: Place
    let schema: WireSchema
    let about: String?

    private init(
        _ name: String,
        _ place: Place,
        _ schema: WireSchema,
        _ about: String? = nil,
        as identifier: String? = nil
    ) {
        (self.identifier, self.name, self.place) = (identifier ?? name, name, place)
        (self.schema, self.about) = (schema, about)
    }
}

extension WireParameter: Hashable {
    package static func == (left: WireParameter, right: WireParameter) -> Bool {
        left.identifier == right.identifier
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension WireParameter {
    // In the path: in the order in which the description has them, by the names in the templates.
    static let inPath = [
        WireParameter("ns", .path, .namespace), WireParameter("key", .path, .key),
        WireParameter("name", .path, .schemaName), WireParameter("rule", .path, .ruleName),
        WireParameter(
            "timestamp",
            .path,
            WireSchema(["type": "string", "format": "date-time", "examples": ["2020-10-17T18:43:19.000Z"]])
        ),
        WireParameter("id", .path, WireSchema(["type": "string", "pattern": "^[a-z0-9]{1,32}$"])),
    ]

    // In the query.
    package static let epoch = WireParameter("epoch", .query, .epoch)
    package static let after = WireParameter("after", .query, .revision)
    package static let at = WireParameter(
        "at",
        .query,
        .revision,
        """
        Return the snapshot at this revision; 404 if the history does not reach back to it. Cannot be combined with \
        `after`.
        """
    )
    package static let schemas = WireParameter(
        "schemas",
        .query,
        .yesOrNo,
        "Whether the response includes schemas."
    )
    package static let withDrafts = WireParameter(
        "drafts",
        .query,
        .yesOrNo,
        "Whether the stream includes the derived states of drafts, in events `draft` of the form `DraftMark`."
    )
    package static let historyKey = WireParameter("key", .query, .key, as: "historyKey")
    package static let historySchema = WireParameter("schema", .query, .schemaName, as: "historySchema")
    package static let historyRule = WireParameter("rule", .query, .ruleName, as: "historyRule")
    package static let before = WireParameter("before", .query, .revision)
    package static let limit = WireParameter(
        "limit",
        .query,
        WireSchema(["type": "integer", "minimum": 1, "maximum": 1000, "default": 100]),
        """
        The maximum number of records. A revision is never split: a single revision with more records is returned \
        whole.
        """
    )
    package static let draftState = WireParameter(
        "state",
        .query,
        WireSchema(["enum": .array(DraftSummary.states.map { .string($0) })]),
        "Only drafts of this state (`open`, `applied`, `closed`) or status (such as `in review` or `due`).",
        as: "draftState"
    )
    package static let draftKey = WireParameter(
        "key",
        .query,
        .text,
        "Only drafts that change this key; `schema:NAME` and `rule:KEY` for schemas and rules.",
        as: "draftKey"
    )
    package static let mine = WireParameter(
        "mine",
        .query,
        .yesOrNo,
        "Only drafts of the subject of the token."
    )
    package static let draftCursor = WireParameter(
        "cursor",
        .query,
        .text,
        "The `next` of the page before.",
        as: "draftCursor"
    )
    package static let flagConfigEtag = WireParameter(
        "flagConfigEtag",
        .query,
        .text,
        "The `etag` of the event that triggered the request. The response is not older than that event."
    )
    package static let flagConfigLastModified = WireParameter(
        "flagConfigLastModified",
        .query,
        WireSchema(["type": ["integer", "string"]]),
        "The `lastModified` of that event; ignored."
    )
    package static let streamToken = WireParameter(
        "token",
        .query,
        .text,
        """
        A ticket from the URL in `eventStreams` of the response with all flags, in place of a token: it allows only \
        the stream of this namespace, for a few minutes.
        """,
        as: "streamToken"
    )

    // In the head.
    package static let namespaceField = WireParameter("X-Livery-Namespace", .header, .namespace, as: "namespaceField")
    package static let ifMatch = WireParameter("If-Match", .header, .text, as: "ifMatch")
    package static let ifNoneMatch = WireParameter("If-None-Match", .header, .text, as: "ifNoneMatch")
    package static let lastEventID = WireParameter("Last-Event-ID", .header, .text, as: "lastEventID")
    /// The reason for a change of protected keys without a draft.
    package static let emergency = WireParameter(
        "Livery-Emergency",
        .header,
        .text,
        """
        The reason for a change of protected keys without a review, by an administrator, where the policy allows it. It is in \
        the history and in the log.
        """,
        as: "emergency"
    )
    /// A field of all routes that need a token.
    static let seen = WireParameter(
        RevisionCursor.fieldName,
        .header,
        .text,
        """
        The last state of the client, as epoch and revision, such as 00c0ffee00c0ffee:12; other values are ignored. \
        The server never returns an older state: if it does not reach the revision within a second, it returns 503; \
        retry, or use another server.
        """,
        as: "seen"
    )
}

extension WireSchema {
    /// The value of an optional switch.
    fileprivate static let yesOrNo = WireSchema(["enum": ["true", "false", "1", "0"]])
}
