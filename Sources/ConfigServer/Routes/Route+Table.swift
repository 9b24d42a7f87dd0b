internal import HTTPTypes

extension Route {
    /// All routes. `Documentation/Server.md` lists them in this order.
    static let all = [
        config, events, entries, patchEntries, entry, putEntry, deleteEntry, history, rollback, document,
        table, tableChanges, insertRow, server, metrics, welcome, health, ready, description,
    ]

    // MARK: The configuration of a namespace

    static let config = Route(
        method: .get,
        path: "/v1/{ns}/config",
        access: .namespace(.read),
        summary: "The state, or the changes since a revision",
        parameters: [.epoch, .after, .ifMatch, .ifNoneMatch],
        answers: [.ok("Config"), .notModified]
    )
    static let events = Route(
        method: .get,
        path: "/v1/{ns}/events",
        access: .namespace(.read),
        summary: "Changes as they happen, as server-sent events",
        parameters: [.lastEventID],
        answers: [.ok("Event")],
        mediaType: "text/event-stream",
        problems: [426]
    )
    static let entries = Route(
        method: .get,
        path: "/v1/{ns}/entries",
        access: .namespace(.read),
        summary: "All entries",
        parameters: [.ifMatch, .ifNoneMatch],
        answers: [.ok("Entries"), .notModified]
    )
    static let patchEntries = Route(
        method: .patch,
        path: "/v1/{ns}/entries",
        access: .namespace(.write),
        summary: "Set and unset several keys in one revision",
        parameters: [.ifMatch, .ifNoneMatch],
        body: "PublishRequest",
        answers: [.ok("PublishReceipt")],
        problems: [409, 412]
    )
    static let entry = Route(
        method: .get,
        path: "/v1/{ns}/entries/{key}",
        access: .namespace(.read),
        summary: "An entry",
        parameters: [.ifMatch, .ifNoneMatch],
        answers: [.ok("Entry"), .notModified],
        problems: [404]
    )
    static let putEntry = Route(
        method: .put,
        path: "/v1/{ns}/entries/{key}",
        access: .namespace(.write),
        summary: "Set a key",
        parameters: [.ifMatch, .ifNoneMatch],
        body: "ValueRequest",
        answers: [.ok("Entry"), .created("Entry")],
        problems: [412]
    )
    static let deleteEntry = Route(
        method: .delete,
        path: "/v1/{ns}/entries/{key}",
        access: .namespace(.write),
        summary: "Unset a key",
        parameters: [.ifMatch, .ifNoneMatch],
        answers: [.noContent],
        problems: [404, 412, 507]
    )
    static let history = Route(
        method: .get,
        path: "/v1/{ns}/history",
        access: .namespace(.read),
        summary: "The history, newest first",
        parameters: [.historyKey, .before, .limit],
        answers: [.ok("History")]
    )
    static let rollback = Route(
        method: .post,
        path: "/v1/{ns}/rollback",
        access: .namespace(.admin),
        summary: "Restore the state of an earlier revision",
        parameters: [.ifMatch, .ifNoneMatch],
        body: "RollbackRequest",
        answers: [.ok("PublishReceipt")],
        problems: [404, 412]
    )
    static let document = Route(
        method: .get,
        path: "/{ns}.json",
        access: .namespace(.read),
        summary: "The state as one nested document",
        parameters: [.ifMatch, .ifNoneMatch],
        answers: [.ok("Document"), .notModified],
        problems: [404]
    )

    // MARK: The legacy table, which is the namespace `default`

    static let table = Route(
        method: .get,
        path: "/config",
        access: .namespace(.read),
        summary: "The table of the namespace `default`",
        answers: [.ok("Rows")]
    )
    static let tableChanges = Route(
        method: .get,
        path: "/config/{timestamp}",
        access: .namespace(.read),
        summary: "The rows that changed after a moment",
        answers: [.ok("Rows")]
    )
    static let insertRow = Route(
        method: .post,
        path: "/config",
        access: .namespace(.write),
        summary: "Insert a row",
        body: "Row",
        form: "FormRow",
        answers: [.ok("InsertedRow")],
        problems: [409]
    )

    // MARK: The server

    static let server = Route(
        method: .get,
        path: "/v1",
        access: .anyToken,
        summary: "The server's version and its namespaces",
        answers: [.ok("ServerInfo")]
    )
    static let metrics = Route(
        method: .get,
        path: "/metrics",
        access: .anyToken,
        summary: "Metrics in Prometheus's text format",
        answers: [.ok("Text")],
        mediaType: "text/plain"
    )
    static let welcome = Route(
        method: .get,
        path: "/",
        access: .open,
        summary: "A greeting",
        answers: [.ok("Document")]
    )
    static let health = Route(
        method: .get,
        path: "/health",
        access: .open,
        summary: "Whether the process is alive",
        answers: [.ok("Status")]
    )
    static let ready = Route(
        method: .get,
        path: "/ready",
        access: .open,
        summary: "Whether the server can read and write its store",
        answers: [.ok("Status")],
        problems: [503, 507]
    )
    static let description = Route(
        method: .get,
        path: "/openapi.json",
        access: .open,
        summary: "This interface, as OpenAPI",
        answers: [.ok("Document")]
    )
}
