// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

extension WireRoute {
    /// All routes. `Documentation/Server.md` lists them in this order.
    package static let all = [
        config, events, entries, patchEntries, entry, putEntry, deleteEntry, schemas, schema, putSchema, deleteSchema,
        rules, rule, putRule, deleteRule, evaluate, history, rollback, document,
        flag, flags, namespaceFlag, namespaceFlags, flagEvents,
        table, tableChanges, insertRow, server, metrics, welcome, health, ready, description,
    ]

    private static let conditions: [WireParameter] = [.ifMatch, .ifNoneMatch]
    private static let eventStream = "text/event-stream"
    /// An object of any members.
    private static let anyDocument = WireSchema("Document", ["type": "object"])

    // MARK: The configuration of a namespace

    package static let config = WireRoute(
        "GET",
        "/v1/{ns}/config",
        .namespace(.read),
        "The state, now or at a revision, or the changes since one",
        taking: [.epoch, .after, .at, .schemas] + conditions,
        [200: ConfigAnswer.schema, 304: nil],
        or: [404]
    )
    package static let events = WireRoute(
        "GET",
        "/v1/{ns}/events",
        .namespace(.read),
        "Changes as they happen, as server-sent events",
        taking: [.lastEventID],
        [200: StreamEvent.schema],
        as: eventStream
    )
    package static let entries = WireRoute(
        "GET",
        "/v1/{ns}/entries",
        .namespace(.read),
        "All entries",
        taking: conditions,
        [200: EntryMessage.listSchema(.value), 304: nil]
    )
    package static let patchEntries = WireRoute(
        "PATCH",
        "/v1/{ns}/entries",
        .namespace(.write),
        "Set and unset several keys, schemas and rules in one revision",
        taking: conditions,
        body: PublishRequest.schema,
        [200: PublishReceipt.schema],
        or: [409, 412, 422]
    )
    package static let entry = WireRoute(
        "GET",
        "/v1/{ns}/entries/{key}",
        .namespace(.read),
        "An entry",
        taking: conditions,
        [200: EntryMessage.schema(.value), 304: nil],
        or: [404]
    )
    package static let putEntry = WireRoute(
        "PUT",
        "/v1/{ns}/entries/{key}",
        .namespace(.write),
        "Set a key",
        taking: conditions,
        body: EntryRequest.schema(.value),
        [200: EntryMessage.schema(.value), 201: EntryMessage.schema(.value)],
        or: [412, 422]
    )
    package static let deleteEntry = WireRoute(
        "DELETE",
        "/v1/{ns}/entries/{key}",
        .namespace(.write),
        "Unset a key",
        taking: conditions,
        [204: nil],
        or: [404, 412, 507]
    )
    package static let schemas = WireRoute(
        "GET",
        "/v1/{ns}/schemas",
        .namespace(.read),
        "All schemas",
        taking: conditions,
        [200: EntryMessage.listSchema(.schema), 304: nil]
    )
    package static let schema = WireRoute(
        "GET",
        "/v1/{ns}/schemas/{name}",
        .namespace(.read),
        "A schema",
        taking: conditions,
        [200: EntryMessage.schema(.schema), 304: nil],
        or: [404]
    )
    package static let putSchema = WireRoute(
        "PUT",
        "/v1/{ns}/schemas/{name}",
        .namespace(.write),
        "Set the schema of a key, or of all keys that begin alike",
        taking: conditions,
        body: EntryRequest.schema(.schema),
        [200: EntryMessage.schema(.schema), 201: EntryMessage.schema(.schema)],
        or: [412, 422]
    )
    package static let deleteSchema = WireRoute(
        "DELETE",
        "/v1/{ns}/schemas/{name}",
        .namespace(.write),
        "Unset a schema",
        taking: conditions,
        [204: nil],
        or: [404, 412, 422, 507]
    )
    package static let rules = WireRoute(
        "GET",
        "/v1/{ns}/rules",
        .namespace(.read),
        "All rules, and what they share",
        taking: conditions,
        [200: EntryMessage.listSchema(.rule), 304: nil]
    )
    package static let rule = WireRoute(
        "GET",
        "/v1/{ns}/rules/{rule}",
        .namespace(.read),
        "A rule",
        taking: conditions,
        [200: EntryMessage.schema(.rule), 304: nil],
        or: [404]
    )
    package static let putRule = WireRoute(
        "PUT",
        "/v1/{ns}/rules/{rule}",
        .namespace(.write),
        "Set the rule of a key, or `$evaluators`, which rules share",
        taking: conditions,
        body: EntryRequest.schema(.rule),
        [200: EntryMessage.schema(.rule), 201: EntryMessage.schema(.rule)],
        or: [412, 422]
    )
    package static let deleteRule = WireRoute(
        "DELETE",
        "/v1/{ns}/rules/{rule}",
        .namespace(.write),
        "Unset a rule",
        taking: conditions,
        [204: nil],
        or: [404, 412, 422, 507]
    )
    package static let evaluate = WireRoute(
        "POST",
        "/v1/{ns}/evaluate",
        .namespace(.read),
        "Evaluate a rule, or a draft of one, for many contexts",
        body: Evaluations.requestSchema,
        isEvaluation: true,
        [200: Evaluations.schema],
        or: [404, 422]
    )
    package static let history = WireRoute(
        "GET",
        "/v1/{ns}/history",
        .namespace(.read),
        "The history, newest first",
        taking: [.historyKey, .historySchema, .historyRule, .before, .limit],
        [200: HistoryMessage.schema]
    )
    package static let rollback = WireRoute(
        "POST",
        "/v1/{ns}/rollback",
        .namespace(.admin),
        "Restore the state of an earlier revision",
        taking: conditions,
        body: RollbackRequest.schema,
        [200: PublishReceipt.schema],
        or: [404, 409, 412, 422]
    )
    package static let document = WireRoute(
        "GET",
        "/{ns}.json",
        .namespace(.read),
        "The state as one nested document",
        taking: conditions,
        [200: anyDocument, 304: nil],
        or: [404]
    )

    // MARK: OpenFeature's protocol (OFREP)

    package static let flag = WireRoute(
        "POST",
        "/ofrep/v1/evaluate/flags/{key}",
        .namespace(.read),
        "Evaluate a flag of `default`, or of the namespace in `X-Livery-Namespace`",
        taking: [.namespaceField],
        body: OFREPRequest.schema,
        isEvaluation: true,
        mayOmitBody: true,
        [200: OFREPFlag.schema],
        or: [404]
    )
    package static let flags = WireRoute(
        "POST",
        "/ofrep/v1/evaluate/flags",
        .namespace(.read),
        "Evaluate all flags of `default`, or of the namespace in `X-Livery-Namespace`",
        taking: [.namespaceField, .ifNoneMatch, .flagConfigEtag, .flagConfigLastModified],
        body: OFREPRequest.schema,
        isEvaluation: true,
        mayOmitBody: true,
        [200: OFREPFlags.schema, 304: nil]
    )
    package static let namespaceFlag = WireRoute(
        "POST",
        "/ns/{ns}/ofrep/v1/evaluate/flags/{key}",
        .namespace(.read),
        "Evaluate a flag",
        body: OFREPRequest.schema,
        isEvaluation: true,
        mayOmitBody: true,
        [200: OFREPFlag.schema],
        or: [404]
    )
    package static let namespaceFlags = WireRoute(
        "POST",
        "/ns/{ns}/ofrep/v1/evaluate/flags",
        .namespace(.read),
        "Evaluate all flags of a namespace",
        taking: [.ifNoneMatch, .flagConfigEtag, .flagConfigLastModified],
        body: OFREPRequest.schema,
        isEvaluation: true,
        mayOmitBody: true,
        [200: OFREPFlags.schema, 304: nil]
    )
    package static let flagEvents = WireRoute(
        "GET",
        "/ns/{ns}/ofrep/v1/events",
        .namespace(.read),
        "When to evaluate the flags of a namespace again, as server-sent events",
        taking: [.lastEventID, .streamToken],
        [200: OFREPEvent.schema],
        as: eventStream
    )

    // MARK: The legacy table, which is the namespace `default`

    package static let table = WireRoute(
        "GET",
        "/config",
        .namespace(.read),
        "The table of the namespace `default`",
        [200: TableRow.listSchema]
    )
    package static let tableChanges = WireRoute(
        "GET",
        "/config/{timestamp}",
        .namespace(.read),
        "The rows that changed after a moment",
        [200: TableRow.listSchema]
    )
    package static let insertRow = WireRoute(
        "POST",
        "/config",
        .namespace(.write),
        "Insert a row",
        body: RowRequest.schema,
        form: RowRequest.formSchema,
        [200: InsertedRow.schema],
        or: [409, 422]
    )

    // MARK: The server

    package static let server = WireRoute(
        "GET",
        "/v1",
        .anyToken,
        "The server's version and its namespaces",
        [200: ServerInfo.schema]
    )
    package static let metrics = WireRoute(
        "GET",
        "/metrics",
        .anyToken,
        "Metrics in Prometheus's text format",
        [200: WireSchema("Text", ["type": "string"])],
        as: "text/plain"
    )
    package static let welcome = WireRoute("GET", "/", .open, "A greeting", [200: anyDocument])
    package static let health = WireRoute(
        "GET",
        "/health",
        .open,
        "Whether the process is alive",
        [200: StatusMessage.schema]
    )
    package static let ready = WireRoute(
        "GET",
        "/ready",
        .open,
        "Whether the server can read and write its store",
        [200: StatusMessage.schema],
        or: [503, 507]
    )
    package static let description = WireRoute(
        "GET",
        "/openapi.json",
        .open,
        "This interface, as OpenAPI",
        [200: anyDocument]
    )
}
