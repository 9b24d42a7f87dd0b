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
            Route(.get, "/{ns}.json", .namespace(.read)) { try await document($0, $1) },
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
            isOtherHistory: isOtherHistory,
            compress: services.workers.compress
        )
        try conditions.requireMatch(of: form.tag(state))
        let quotas = services.hub.quotas
        if let reply = await services.workers.reply(form, state, quotas) { return reply }
        guard case .older(let revision) = form else { throw Problem.notReady }
        let (present, changes) = try await services.hub.changes(in: context.namespace, after: revision)
        return await services.workers.encoded(present) {
            var json: ByteBuffer?
            if let changes, present.cursor.epoch == state.cursor.epoch {
                json = ByteBuffer(bytes: ConfigAnswer.changes(changes, epoch: present.cursor.epoch).json)
            }
            // What was taken away long since may be more than what is there.
            if let long = json, long.readableBytes > 2 * max(1024, present.entryBytes) { json = nil }
            return Reply.json(json ?? present.resetJSON).announcing(quotas, present)
        }
    }

    private func document(_ request: Request, _ context: RouteContext) async throws -> Reply {
        guard let state = services.hub.state(of: context.namespace) else { throw Problem.notReady }
        // Judged here already, to spare the work where the client has it.
        guard try ReadConditions(request).verdict(tag: state.tag) == .sent else {
            return .json(ByteBuffer(), tag: state.tag)
        }
        return .json(await services.workers.encoded(state) { state.documentJSON }, tag: state.tag)
    }
}
