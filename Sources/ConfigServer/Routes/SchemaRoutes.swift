internal import ConfigModel
internal import ConfigStore
internal import HashTreeCollections
internal import NIOCore
internal import NIOHTTP1

/// The schemas of a namespace, to read and to write. Clients that follow the values need none of this.
extension ServerServices {
    func schemas(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let state = try state(of: context.namespace)
        return try await tagged(state, request) {
            let schemas = state.schemas.map { SchemaMessage(name: $0.key, entry: $0.value) }
            let digest = ConfigDigest(schemas.lazy.map { ($0.key, $0.schema) })
            return ByteBuffer(
                bytes: SchemaMessage.json(of: schemas.sorted { $0.key < $1.key }, at: state.cursor, digest)
            )
        }.announcing(hub.quotas, state)
    }

    func schema(_ context: RouteContext) throws -> Reply {
        let (name, state) = (try context.schemaName(), try state(of: context.namespace))
        guard let entry = state.schemas[name] else { throw Problem.unknownSchema(name, state.revision) }
        return .json(ByteBuffer(bytes: SchemaMessage(name: name, entry: entry).json), tag: state.tag(of: entry))
    }

    func putSchema(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let name = try context.schemaName()
        let key = SchemaKey.key(of: name)
        let conditions = try WriteConditions(request, key: key, state: try state(of: context.namespace)).list
        let body = try await body(of: request, SchemaRequest.init(json:))
        let (outcome, state) = try await publish(
            "put-schema",
            .edit([key: body.schema]),
            conditions: conditions,
            message: body.message,
            for: context
        )
        guard let entry = outcome.entry(key) else { throw WriteConditions.failed(key: key, state) }
        let headers: HTTPHeaders = ["etag": "\"\(state.tag(of: entry))\""]
        var reply = Reply.json(SchemaMessage(name: name, entry: entry).json, headers: headers)
        if outcome.commit != nil, entry.createdAt == entry.updatedAt {
            reply.status = .created
            reply.headers.add(name: "location", value: "/v1/\(context.namespace)/schemas/\(name)")
        }
        return reply.naming(outcome.cursor(after: state))
    }

    func deleteSchema(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let name = try context.schemaName()
        let key = SchemaKey.key(of: name)
        let conditions = try WriteConditions(request, key: key, state: try state(of: context.namespace)).list
        let change = Publish.Change.edit([key: nil])
        let (outcome, state) = try await publish("delete-schema", change, conditions: conditions, for: context)
        switch outcome {
        case .committed:
            return Reply(.noContent, headers: ["cache-control": "no-store"]).naming(outcome.cursor(after: state))
        case .unchanged(let revision, _): throw Problem.unknownSchema(name, revision)
        default: throw WriteConditions.failed(key: key, state)
        }
    }

    /// The answer to `GET /v1/{namespace}/config?schemas=true`: the state, or the changes since a revision, with schemas.
    func configWithSchemas(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let state = try state(of: context.namespace)
        let asked = try request.target.cursor()
        if let asked {
            // What the client has seen may be of another epoch, or of a revision that is not known any more.
            let isKnown = asked.epoch == state.cursor.epoch && asked.revision <= state.revision
            if isKnown {
                let (present, changes) = try await hub.changes(in: context.namespace, after: asked.revision)
                if let changes, present.cursor.epoch == asked.epoch {
                    return await workers.encoded(present) { [quotas = hub.quotas] in
                        let answer = ConfigAnswer.changes(changes, epoch: present.cursor.epoch)
                        return Reply.json(answer.json).announcing(quotas, present)
                    }
                }
            }
        }
        let json: @Sendable () -> ByteBuffer = {
            let entries = state.entries.map { (key: $0.key, value: $0.value.value) }
            let schemas = Dictionary(uniqueKeysWithValues: state.schemas.lazy.map { ($0.key, $0.value.value) })
            return ByteBuffer(
                bytes: ConfigAnswer.json(
                    of: entries,
                    at: state.cursor,
                    state.digest,
                    schemas: schemas,
                    isReset: asked != nil
                )
            )
        }
        if asked != nil { return Reply.json(await workers.encoded(state, json)).announcing(hub.quotas, state) }
        return try await tagged(state, request, suffix: "-schemas", json).announcing(hub.quotas, state)
    }
}

extension RouteContext {
    /// What the schema that the path names is for.
    fileprivate func schemaName() throws(Problem) -> String {
        let segment = parameters.get("name") ?? ""
        return try Problem.validSchemaName(segment.percentDecoded() ?? String(segment))
    }
}

extension RequestTarget {
    /// Whether the answer is to have schemas.
    func wantsSchemas() throws(Problem) -> Bool {
        switch try parameter("schemas") {
        case nil, "false": false
        case "true": true
        default: throw .invalidParameter("schemas", "'schemas' is 'true' or 'false'")
        }
    }
}

extension SchemaMessage {
    fileprivate init(name: String, entry: StoredEntry) {
        self.init(
            key: name,
            schema: entry.value,
            revision: entry.revision,
            createdAt: entry.createdAt,
            updatedAt: entry.updatedAt
        )
    }
}

extension Problem {
    /// The name of a schema, if it is one.
    static func validSchemaName(_ name: String) throws(Problem) -> String {
        guard let problem = SchemaName.problem(in: name) else { return name }
        throw Problem(.badRequest, "invalid-key", "the key \(problem)", key: name.excerpt(ofScalars: 130))
    }

    fileprivate static func unknownSchema(_ name: String, _ revision: UInt64) -> Problem {
        Problem(.notFound, "unknown-schema", "there is no such schema", key: name, revision: revision)
    }

    /// The publish would break schemas, or its schemas are none.
    static func schemasBroken(_ violations: [ViolationMessage]) -> Problem {
        let isOfSchemas = violations.first?.key == nil
        let first = violations.first.map { violation in
            let place = [violation.key ?? violation.schema, violation.pointer].filter { !$0.isEmpty }
            return "\(place.joined(separator: ": ")): \(violation.message)"
        }
        let more = violations.count > 1 ? " (and \(violations.count - 1) more)" : ""
        return Problem(
            .unprocessableEntity,
            isOfSchemas ? "invalid-schema" : "schema-violation",
            "nothing was written: \(first ?? "")\(more)",
            key: violations.first?.key ?? violations.first?.schema,
            violations: violations
        )
    }
}
