// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigStore
internal import ConfigWire
internal import NIOCore
internal import NIOHTTP1

/// The state together with the schemas. Clients that follow the values need none of this.
extension ServerServices {
    /// The answer to `GET /v1/{namespace}/config?schemas=true`: the state, or the changes since a revision, with schemas.
    func configWithSchemas(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let state = try state(of: context.namespace)
        let asked = try request.target.cursor()
        // The client may have seen another epoch, or a revision that is no longer known.
        if let asked, asked.epoch == state.cursor.epoch, asked.revision <= state.revision {
            let after = asked.revision
            func make(_ charge: ReadCharge) async throws -> Reply {
                let namespace = context.namespace
                let (present, changes) = try await hub.changes(in: namespace, after: after, charging: charge)
                guard let changes, present.cursor.epoch == asked.epoch else { return Reply(.notFound) }
                return try await workers.encoded(present, for: context.caller) { [quotas = hub.quotas] in
                    Reply.json(ConfigAnswer.changes(changes, epoch: present.cursor.epoch).json)
                        .announcing(quotas, present)
                }
            }
            let reply =
                state.changesReach(after)
                ? try await single(0) { _ in try await make(.free) }
                : try await past(0, context) { try await make($0.charge()) }
            if reply.status == .ok { return reply }
        }
        return try await wholeWithSchemas(state, request, context)
    }

    /// The answer with the whole state and the schemas.
    func wholeWithSchemas(
        _ state: NamespaceState,
        _ request: Request,
        _ context: RouteContext
    ) async throws -> Reply {
        let asked = try request.target.cursor()
        let json: @Sendable () -> ByteBuffer = {
            ByteBuffer(bytes: state.answerJSON(schemas: true, isReset: asked != nil))
        }
        let bytes = state.snapshotBytes + state.schemaBytes
        let reply =
            asked == nil
            ? try await tagged(state, state.tag + "-schemas", request, context, bytes: bytes, json)
            : try await single(bytes) { _ in .json(try await workers.encoded(state, for: context.caller, json)) }
        return reply.announcing(hub.quotas, state)
    }
}

extension RequestTarget {
    /// Whether the response includes schemas.
    func wantsSchemas() throws(Problem) -> Bool { try flag(.schemas) ?? false }

    /// Whether the stream includes the states of drafts.
    func wantsDrafts() throws(Problem) -> Bool { try flag(.withDrafts) ?? false }

    /// A parameter that is true or false.
    func flag(_ parameter: WireParameter) throws(Problem) -> Bool? {
        switch try self.parameter(parameter) {
        case nil: nil
        case "true", "1": true
        case "false", "0": false
        default: throw .invalidParameter(parameter.name, "'\(parameter.name)' must be 'true' or 'false'")
        }
    }
}
