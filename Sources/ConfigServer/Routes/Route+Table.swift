// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import NIOHTTP1

extension Route {
    /// All routes. `Documentation/Server.md` lists them in this order.
    static let all = [
        config, events, entries, patchEntries, entry, putEntry, deleteEntry, schemas, schema, putSchema, deleteSchema,
        rules, rule, putRule, deleteRule, evaluate, history, rollback, document,
        flag, flags, namespaceFlag, namespaceFlags, flagEvents,
        table, tableChanges, insertRow, server, metrics, welcome, health, ready, description,
    ]

    // MARK: The configuration of a namespace

    static let config = Route(.GET, "/v1/{ns}/config", .namespace(.read)) { try await $0.config($1, $2) }
        .summarized("The state, now or at a revision, or the changes since one")
        .taking(.epoch, .after, .at, .schemas, .ifMatch, .ifNoneMatch)
        .answering([200: "Config", 304: nil], or: 404)
    static let events = Route(.GET, "/v1/{ns}/events", .namespace(.read)) { _, _, _ in throw Problem.unusualTarget }
        .summarized("Changes as they happen, as server-sent events")
        .taking(.lastEventID)
        .answering([200: "Event"], as: "text/event-stream")
    static let entries = Route(.GET, "/v1/{ns}/entries", .namespace(.read)) { try await $0.entries(.value, $1, $2) }
        .summarized("All entries")
        .taking(.ifMatch, .ifNoneMatch)
        .answering([200: "Entries", 304: nil])
    static let patchEntries = Route(.PATCH, "/v1/{ns}/entries", .namespace(.write)) { try await $0.patch($1, $2) }
        .summarized("Set and unset several keys, schemas and rules in one revision")
        .taking(.ifMatch, .ifNoneMatch, body: "PublishRequest")
        .answering([200: "PublishReceipt"], or: 409, 412, 422)
    static let entry = Route(.GET, "/v1/{ns}/entries/{key}", .namespace(.read)) { try $0.entry(.value, $2) }
        .summarized("An entry")
        .taking(.ifMatch, .ifNoneMatch)
        .answering([200: "Entry", 304: nil], or: 404)
    static let putEntry = Route(.PUT, "/v1/{ns}/entries/{key}", .namespace(.write)) { try await $0.put(.value, $1, $2) }
        .summarized("Set a key")
        .taking(.ifMatch, .ifNoneMatch, body: "ValueRequest")
        .answering([200: "Entry", 201: "Entry"], or: 412, 422)
    static let deleteEntry = Route(.DELETE, "/v1/{ns}/entries/{key}", .namespace(.write)) {
        try await $0.unset(.value, $1, $2)
    }
    .summarized("Unset a key")
    .taking(.ifMatch, .ifNoneMatch)
    .answering([204: nil], or: 404, 412, 507)
    static let schemas = Route(.GET, "/v1/{ns}/schemas", .namespace(.read)) { try await $0.entries(.schema, $1, $2) }
        .summarized("All schemas")
        .taking(.ifMatch, .ifNoneMatch)
        .answering([200: "Schemas", 304: nil])
    static let schema = Route(.GET, "/v1/{ns}/schemas/{name}", .namespace(.read)) { try $0.entry(.schema, $2) }
        .summarized("A schema")
        .taking(.ifMatch, .ifNoneMatch)
        .answering([200: "SchemaEntry", 304: nil], or: 404)
    static let putSchema = Route(.PUT, "/v1/{ns}/schemas/{name}", .namespace(.write)) {
        try await $0.put(.schema, $1, $2)
    }
    .summarized("Set the schema of a key, or of all keys that begin alike")
    .taking(.ifMatch, .ifNoneMatch, body: "SchemaRequest")
    .answering([200: "SchemaEntry", 201: "SchemaEntry"], or: 412, 422)
    static let deleteSchema = Route(.DELETE, "/v1/{ns}/schemas/{name}", .namespace(.write)) {
        try await $0.unset(.schema, $1, $2)
    }
    .summarized("Unset a schema")
    .taking(.ifMatch, .ifNoneMatch)
    .answering([204: nil], or: 404, 412, 422, 507)
    static let rules = Route(.GET, "/v1/{ns}/rules", .namespace(.read)) { try await $0.entries(.rule, $1, $2) }
        .summarized("All rules, and what they share")
        .taking(.ifMatch, .ifNoneMatch)
        .answering([200: "Rules", 304: nil])
    static let rule = Route(.GET, "/v1/{ns}/rules/{rule}", .namespace(.read)) { try $0.entry(.rule, $2) }
        .summarized("A rule")
        .taking(.ifMatch, .ifNoneMatch)
        .answering([200: "RuleEntry", 304: nil], or: 404)
    static let putRule = Route(.PUT, "/v1/{ns}/rules/{rule}", .namespace(.write)) {
        try await $0.put(.rule, $1, $2)
    }
    .summarized("Set the rule of a key, or `$evaluators`, which rules share")
    .taking(.ifMatch, .ifNoneMatch, body: "RuleRequest")
    .answering([200: "RuleEntry", 201: "RuleEntry"], or: 412, 422)
    static let deleteRule = Route(.DELETE, "/v1/{ns}/rules/{rule}", .namespace(.write)) {
        try await $0.unset(.rule, $1, $2)
    }
    .summarized("Unset a rule")
    .taking(.ifMatch, .ifNoneMatch)
    .answering([204: nil], or: 404, 412, 422, 507)
    static let evaluate = Route(.POST, "/v1/{ns}/evaluate", .namespace(.read)) { try await $0.evaluate($1, $2) }
        .summarized("Evaluate a rule, or a draft of one, for many contexts")
        .evaluating()
        .taking(body: "EvaluationRequest")
        .answering([200: "Evaluations"], or: 404, 422)
    static let history = Route(.GET, "/v1/{ns}/history", .namespace(.read)) { try await $0.history($1, $2) }
        .summarized("The history, newest first")
        .taking(.historyKey, .historySchema, .historyRule, .before, .limit)
        .answering([200: "History"])
    static let rollback = Route(.POST, "/v1/{ns}/rollback", .namespace(.admin)) { try await $0.rollback($1, $2) }
        .summarized("Restore the state of an earlier revision")
        .taking(.ifMatch, .ifNoneMatch, body: "RollbackRequest")
        .answering([200: "PublishReceipt"], or: 404, 409, 412, 422)
    static let document = Route(.GET, "/{ns}.json", .namespace(.read)) { try await $0.document($1, $2) }
        .summarized("The state as one nested document")
        .taking(.ifMatch, .ifNoneMatch)
        .answering([200: "Document", 304: nil], or: 404)

    // MARK: OpenFeature's protocol (OFREP)

    static let flag = Route(.POST, "/ofrep/v1/evaluate/flags/{key}", .namespace(.read)) {
        try await $0.evaluateFlag($1, $2)
    }
    .summarized("Evaluate a flag of `default`, or of the namespace in `X-Livery-Namespace`")
    .evaluating(mayOmitBody: true)
    .taking(.namespaceField, body: "OFREPRequest")
    .answering([200: "OFREPSuccess"], or: 404)
    .failing(as: "OFREPFailure")
    static let flags = Route(.POST, "/ofrep/v1/evaluate/flags", .namespace(.read)) {
        try await $0.evaluateFlags($1, $2)
    }
    .summarized("Evaluate all flags of `default`, or of the namespace in `X-Livery-Namespace`")
    .evaluating(mayOmitBody: true)
    .taking(.namespaceField, .ifNoneMatch, .flagConfigEtag, .flagConfigLastModified, body: "OFREPRequest")
    .answering([200: "OFREPFlags", 304: nil])
    .failing(as: "OFREPFailure")
    static let namespaceFlag = Route(.POST, "/ns/{ns}/ofrep/v1/evaluate/flags/{key}", .namespace(.read)) {
        try await $0.evaluateFlag($1, $2)
    }
    .summarized("Evaluate a flag")
    .evaluating(mayOmitBody: true)
    .taking(body: "OFREPRequest")
    .answering([200: "OFREPSuccess"], or: 404)
    .failing(as: "OFREPFailure")
    static let namespaceFlags = Route(.POST, "/ns/{ns}/ofrep/v1/evaluate/flags", .namespace(.read)) {
        try await $0.evaluateFlags($1, $2)
    }
    .summarized("Evaluate all flags of a namespace")
    .evaluating(mayOmitBody: true)
    .taking(.ifNoneMatch, .flagConfigEtag, .flagConfigLastModified, body: "OFREPRequest")
    .answering([200: "OFREPFlags", 304: nil])
    .failing(as: "OFREPFailure")
    static let flagEvents = Route(.GET, "/ns/{ns}/ofrep/v1/events", .namespace(.read)) { _, _, _ in
        throw Problem.unusualTarget
    }
    .summarized("That the flags of a namespace are to be asked for again, as server-sent events")
    .taking(.lastEventID, .streamToken)
    .answering([200: "OFREPEvent"], as: "text/event-stream")

    // MARK: The legacy table, which is the namespace `default`

    static let table = Route(.GET, "/config", .namespace(.read)) { try await $0.table($2) }
        .summarized("The table of the namespace `default`")
        .answering([200: "Rows"])
    static let tableChanges = Route(.GET, "/config/{timestamp}", .namespace(.read)) { try await $0.tableChanges($2) }
        .summarized("The rows that changed after a moment")
        .answering([200: "Rows"])
    static let insertRow = Route(.POST, "/config", .namespace(.write)) { try await $0.insertRow($1, $2) }
        .summarized("Insert a row")
        .taking(body: "Row", form: "FormRow")
        .answering([200: "InsertedRow"], or: 409, 422)

    // MARK: The server

    static let server = Route(.GET, "/v1", .anyToken) { services, _, context in try services.info(context) }
        .summarized("The server's version and its namespaces")
        .answering([200: "ServerInfo"])
    static let metrics = Route(.GET, "/metrics", .anyToken) { services, _, context in
        await services.metricsText(context)
    }
    .summarized("Metrics in Prometheus's text format")
    .answering([200: "Text"], as: "text/plain")
    static let welcome = Route(.GET, "/", .open) { _, _, _ in .greeting }
        .summarized("A greeting")
        .answering([200: "Document"])
    static let health = Route(.GET, "/health", .open) { _, _, _ in .status("ok") }
        .summarized("Whether the process is alive")
        .answering([200: "Status"])
    static let ready = Route(.GET, "/ready", .open) { services, _, _ in try await services.ready() }
        .summarized("Whether the server can read and write its store")
        .answering([200: "Status"], or: 503, 507)
    static let description = Route(.GET, "/openapi.json", .open) { _, _, _ in .json(OpenAPIDocument.json) }
        .summarized("This interface, as OpenAPI")
        .answering([200: "Document"])
}
