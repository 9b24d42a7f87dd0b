internal import ConfigModel
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1

/// The state of a namespace, as clients follow it.
///
/// Event loops answer nearly all of these requests themselves (``ImmediateTarget``); here are those that need the store or
/// long work, and those whose targets are spelled in an unusual way.
struct ConfigController: RouteController {
    let services: ServerServices

    var handlers: [RouteHandler] {
        [
            RouteHandler(.config) { try await config($0, $1) },
            RouteHandler(.events) { _, _ in throw Self.unusualTarget },
            RouteHandler(.document) { try await document($0, $1) },
        ]
    }

    private static let unusualTarget = Problem(
        .badRequest,
        "invalid-target",
        "ask for a stream as /v1/{namespace}/events, without percent-encoding and double slashes"
    )

    private func config(_ request: Request, _ context: RouteContext) async throws -> Reply {
        guard let (state, head) = services.hub.stateAndHead(of: context.namespace) else { throw Problem.notReady }
        let question = ConfigRequest(target: request.target, conditions: ReadConditions(request))
        let decision = try question.decide(state, after: context.catchUp, at: head, services.workers.compress)
        guard case .answer(let form) = decision else { throw Problem.behind }
        let quotas = services.hub.quotas
        if let reply = await services.workers.reply(form, state, quotas) { return reply }
        guard case .older(let revision) = form else { throw Problem.notReady }
        let (present, changes) = try await services.hub.changes(in: context.namespace, after: revision)
        return await services.workers.encoded(present) {
            var json: ByteBuffer?
            if let changes, present.cursor.epoch == state.cursor.epoch {
                json = ByteBuffer(bytes: ConfigAnswer.changes(changes, epoch: present.cursor.epoch).json)
            }
            // The deletes of a long time may be larger than the state.
            if let long = json, long.readableBytes > 2 * max(1024, present.entryBytes) { json = nil }
            return Reply.json(json ?? present.resetJSON).announcing(quotas, present)
        }
    }

    private func document(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let state = try services.state(of: context.namespace)
        // Judged here already, to spare the work if the client has the state.
        guard try ReadConditions(request).verdict(tag: state.tag) == .sent else {
            return .json(ByteBuffer(), tag: state.tag)
        }
        return .json(await services.workers.encoded(state) { state.documentJSON }, tag: state.tag)
    }
}
