// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

extension WireRoute {
    private static let conditions: [WireParameter] = [.ifMatch, .ifNoneMatch]
    private static let eventStream = "text/event-stream"
    /// An object of any members.
    private static let anyDocument = WireSchema("Document", ["type": "object"])

    private static func get(_ path: String, _ access: Access, _ summary: String, _ answer: WireSchema) -> WireRoute {
        WireRoute("GET \(path)", access, summary, [200: answer])
    }

    // MARK: The configuration of a namespace

    package static let config = WireRoute(
        "GET /v1/{ns}/config",
        .namespace(.read),
        "Get the snapshot, current or at a revision, or the changes since a revision",
        taking: [.epoch, .after, .at, .schemas] + conditions,
        [200: ConfigAnswer.schema, 304: nil],
        or: [404]
    )
    package static let events = WireRoute(
        "GET /v1/{ns}/events",
        .namespace(.read),
        "Stream changes as server-sent events",
        taking: [.lastEventID, .schemas, .withDrafts],
        [200: StreamEvent.schema],
        as: eventStream
    )
    package static let patchEntries = WireRoute(
        "PATCH /v1/{ns}/entries",
        .namespace(.write),
        "Set and unset keys, schemas and rules in one revision",
        taking: conditions,
        body: PublishRequest.schema,
        [200: PublishReceipt.schema],
        or: [409, 412, 422]
    )
    package static let entries = list(.value, "entries", "List entries")
    package static let entry = one(.value, "entries/{key}", "Get an entry")
    package static let putEntry = put(.value, "entries/{key}", "Set a key")
    package static let deleteEntry = delete("entries/{key}", "Unset a key")
    package static let schemas = list(.schema, "schemas", "List schemas")
    package static let schema = one(.schema, "schemas/{name}", "Get a schema")
    package static let putSchema = put(.schema, "schemas/{name}", "Set the schema of a key or a pattern")
    package static let deleteSchema = delete("schemas/{name}", "Unset a schema", or: [422])
    package static let rules = list(.rule, "rules", "List rules and shared evaluators")
    package static let rule = one(.rule, "rules/{rule}", "Get a rule")
    package static let putRule = put(
        .rule,
        "rules/{rule}",
        "Set the rule of a key, or the shared evaluators (`$evaluators`)"
    )
    package static let deleteRule = delete("rules/{rule}", "Unset a rule", or: [422])

    private static func list(_ kind: EntryKind, _ path: String, _ summary: String) -> WireRoute {
        let answers: Answers = [200: EntryList.schema(kind), 304: nil]
        return WireRoute("GET /v1/{ns}/\(path)", .namespace(.read), summary, taking: conditions, answers)
    }

    private static func one(_ kind: EntryKind, _ path: String, _ summary: String) -> WireRoute {
        let answers: Answers = [200: EntryMessage.schema(kind), 304: nil]
        return WireRoute("GET /v1/{ns}/\(path)", .namespace(.read), summary, taking: conditions, answers, or: [404])
    }

    private static func put(_ kind: EntryKind, _ path: String, _ summary: String) -> WireRoute {
        WireRoute(
            "PUT /v1/{ns}/\(path)",
            .namespace(.write),
            summary,
            taking: conditions,
            body: EntryRequest.schema(kind),
            [200: EntryMessage.schema(kind), 201: EntryMessage.schema(kind)],
            or: [412, 422]
        )
    }

    private static func delete(_ path: String, _ summary: String, or problems: [Int] = []) -> WireRoute {
        let problems = problems + [404, 412, 507]
        return WireRoute(
            "DELETE /v1/{ns}/\(path)",
            .namespace(.write),
            summary,
            taking: conditions,
            [204: nil],
            or: problems
        )
    }

    package static let evaluate = WireRoute(
        "POST /v1/{ns}/evaluate",
        .namespace(.read),
        "Evaluate a stored or a given rule for many contexts",
        body: Evaluations.requestSchema,
        isEvaluation: true,
        [200: Evaluations.schema],
        or: [404, 422]
    )
    package static let history = WireRoute(
        "GET /v1/{ns}/history",
        .namespace(.read),
        "List the history, newest first",
        taking: [.historyKey, .historySchema, .historyRule, .before, .limit],
        [200: HistoryMessage.schema]
    )
    package static let rollback = WireRoute(
        "POST /v1/{ns}/rollback",
        .namespace(.admin),
        "Roll back to an earlier revision",
        taking: conditions,
        body: RollbackRequest.schema,
        [200: PublishReceipt.schema],
        or: [404, 409, 412, 422]
    )

    // MARK: Drafts

    package static let drafts = WireRoute(
        "GET /v1/{ns}/drafts",
        .namespace(.read),
        "List drafts, newest first",
        taking: [.draftState, .draftKey, .mine, .draftCursor, .limit],
        [200: DraftList.schema]
    )
    package static let createDraft = WireRoute(
        "POST /v1/{ns}/drafts",
        .namespace(.write),
        "Propose a revision",
        body: DraftRequest.schema,
        [201: DraftMessage.schema],
        or: [422]
    )
    package static let draft = WireRoute(
        "GET /v1/{ns}/drafts/{id}",
        .namespace(.read),
        "Get a draft",
        [200: DraftMessage.schema],
        or: [404]
    )
    package static let editDraft = draftWrite(
        "PATCH",
        "",
        .write,
        "Edit a draft",
        DraftRequest.schema,
        taking: [.ifMatch]
    )
    package static let rebaseDraft = draftWrite(
        "POST",
        "/rebase",
        .write,
        "Resolve the conflicts of a draft",
        RebaseRequest.schema,
        taking: [.ifMatch]
    )
    package static let reviewDraft = draftWrite(
        "POST",
        "/reviews",
        .approve,
        "Approve or reject a draft, or withdraw a review",
        ReviewRequest.schema,
        status: 201
    )
    package static let applyDraft = draftWrite(
        "POST",
        "/apply",
        .approve,
        "Apply a draft as one revision",
        DraftApplyRequest.schema
    )
    package static let closeDraft = draftWrite("POST", "/close", .write, "Close a draft", DraftCloseRequest.schema)
    package static let draftConfig = WireRoute(
        "GET /v1/{ns}/drafts/{id}/config",
        .namespace(.read),
        "Preview a draft: get the snapshot as if it were applied now",
        taking: [.epoch, .after, .schemas] + conditions,
        [200: ConfigAnswer.schema, 304: nil],
        or: [404, 410]
    )
    package static let draftEvents = WireRoute(
        "GET /v1/{ns}/drafts/{id}/events",
        .namespace(.read),
        "Preview a draft: stream its changes and those of the namespace, until it is applied or closed",
        taking: [.lastEventID],
        [200: StreamEvent.schema],
        as: eventStream,
        or: [404, 410]
    )
    package static let policy = get(
        "/v1/{ns}/policy",
        .namespace(.read),
        "Get the policy of reviews",
        PolicyMessage.schema
    )
    package static let putPolicy = WireRoute(
        "PUT /v1/{ns}/policy",
        .namespace(.admin),
        "Set the policy of reviews",
        taking: [.ifMatch],
        body: PolicyMessage.schema,
        [200: PolicyMessage.schema],
        or: [412, 422]
    )

    private static func draftWrite(
        _ method: String,
        _ path: String,
        _ role: Role,
        _ summary: String,
        _ body: WireSchema,
        taking parameters: [WireParameter] = [],
        status: Int = 200
    ) -> WireRoute {
        WireRoute(
            "\(method) /v1/{ns}/drafts/{id}\(path)",
            .namespace(role),
            summary,
            taking: parameters,
            body: body,
            [status: DraftMessage.schema],
            or: [404, 409, 422] + (parameters.isEmpty ? [] : [412])
        )
    }

    package static let document = WireRoute(
        "GET /{ns}.json",
        .namespace(.read),
        "Get the snapshot as a nested document",
        taking: conditions,
        [200: anyDocument, 304: nil],
        or: [404]
    )

    // MARK: OpenFeature's protocol (OFREP)

    package static let flag = evaluation(
        of: OFREPFlag.schema,
        "/ofrep/v1/evaluate/flags/{key}",
        "Evaluate a flag of `default`, or of the namespace in `X-Livery-Namespace`",
        taking: [.namespaceField]
    )
    package static let flags = evaluation(
        of: OFREPFlags.schema,
        "/ofrep/v1/evaluate/flags",
        "Evaluate all flags of `default`, or of the namespace in `X-Livery-Namespace`",
        taking: [.namespaceField, .ifNoneMatch, .flagConfigEtag, .flagConfigLastModified]
    )
    package static let namespaceFlag = evaluation(
        of: OFREPFlag.schema,
        "/ns/{ns}/ofrep/v1/evaluate/flags/{key}",
        "Evaluate a flag"
    )
    package static let namespaceFlags = evaluation(
        of: OFREPFlags.schema,
        "/ns/{ns}/ofrep/v1/evaluate/flags",
        "Evaluate all flags of a namespace",
        taking: [.ifNoneMatch, .flagConfigEtag, .flagConfigLastModified]
    )
    package static let flagEvents = WireRoute(
        "GET /ns/{ns}/ofrep/v1/events",
        .namespace(.read),
        "Stream notifications to evaluate the flags of a namespace again, as server-sent events",
        taking: [.lastEventID, .streamToken],
        [200: OFREPEvent.schema],
        as: eventStream
    )

    /// - Parameter answer: that of one flag, or of all flags, which has an entity tag.
    private static func evaluation(
        of answer: WireSchema,
        _ path: String,
        _ summary: String,
        taking parameters: [WireParameter] = []
    ) -> WireRoute {
        let isOfOne = path.hasSuffix("{key}")
        return WireRoute(
            "POST \(path)",
            .namespace(.read),
            summary,
            taking: parameters,
            body: OFREPRequest.schema.orNull,
            isEvaluation: true,
            mayOmitBody: true,
            isOfOne ? [200: answer] : [200: answer, 304: nil],
            or: isOfOne ? [404] : []
        )
    }

    // MARK: The legacy table, which is the namespace `default`

    package static let table = get(
        "/config",
        .namespace(.read),
        "List the rows of the namespace `default`",
        TableRow.listSchema
    )
    package static let tableChanges = get(
        "/config/{timestamp}",
        .namespace(.read),
        "List the rows that changed after a time",
        TableRow.listSchema
    )
    package static let insertRow = WireRoute(
        "POST /config",
        .namespace(.write),
        "Insert a row",
        body: RowRequest.schema,
        form: RowRequest.formSchema,
        [200: InsertedRow.schema],
        or: [409, 422]
    )

    // MARK: The server

    package static let server = get(
        "/v1",
        .anyToken,
        "Get the version and the namespaces of the server",
        ServerInfo.schema
    )
    package static let metrics = WireRoute(
        "GET /metrics",
        .anyToken,
        "Get metrics in the Prometheus text format",
        [200: WireSchema("Text", ["type": "string"])],
        as: "text/plain"
    )
    package static let welcome = get("/", .open, "Get a greeting", anyDocument)
    package static let health = get("/health", .open, "Check whether the process is alive", StatusMessage.schema)
    package static let ready = WireRoute(
        "GET /ready",
        .open,
        "Check whether the server can read and write its store",
        [200: StatusMessage.schema],
        or: [503, 507]
    )
    package static let description = get("/openapi.json", .open, "Get this interface as OpenAPI", anyDocument)
}
