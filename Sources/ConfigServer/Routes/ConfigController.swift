internal import ConfigModel
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1

/// The state of a namespace, as clients follow it.
///
/// Nearly all of these requests are answered on the event loop (``ImmediateTarget``); here are those that the store has to
/// be asked for, and those whose targets are spelled in an unusual way.
struct ConfigController: RouteController {
    let services: ServerServices

    var routes: [Route] {
        [
            Route(.get, "/v1/{ns}/config", .namespace(.read)) { try await config($0, $1) },
            Route(.get, "/v1/{ns}/events", .namespace(.read)) { _, _ in throw Self.unusualTarget },
            Route(.get, "/{ns}.json", .namespace(.read)) { try document($1) },
        ]
    }

    private static let unusualTarget = Problem(
        .badRequest,
        "invalid-target",
        "ask for a stream as /v1/{namespace}/events, without percent-encoding and double slashes"
    )

    private func config(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let conditions = ReadConditions(request)
        let isOtherHistory = try await services.catchUp(with: conditions, request.target)
        guard let state = services.hub.state(of: context.namespace) else { throw Problem.notReady }
        let form = try ConfigForm(
            for: state,
            target: request.target,
            conditions: conditions,
            isOtherHistory: isOtherHistory
        )
        try conditions.requireMatch(of: form.tag(state))
        if let reply = form.reply(state) { return reply }
        guard case .older(let revision) = form else { throw Problem.notReady }
        let (present, changes) = try await services.hub.changes(in: context.namespace, after: revision)
        guard let changes, present.cursor.epoch == state.cursor.epoch else { return .json(present.resetJSON) }
        return .json(ConfigAnswer.changes(changes, epoch: present.cursor.epoch).json)
    }

    private func document(_ context: RouteContext) throws -> Reply {
        guard let state = services.hub.state(of: context.namespace) else { throw Problem.notReady }
        return .json(state.documentJSON, tag: state.tag)
    }
}
