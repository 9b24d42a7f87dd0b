// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import ConfigStore
internal import ConfigWire
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// A request that is not answered from memory: it finds its route, is checked, gets its body, and is answered by the route.
struct RouteCall: Sendable {
    private(set) var request: Request
    private var context: RouteContext
    private let pattern: RoutePattern?
    private var start = NIODeadline.now()
    /// The answer, if none of the body is needed to know it.
    private(set) var refusal: Reply?

    /// - Parameter connection: identifies the connection.
    init(
        _ head: HTTPRequestHead,
        _ fields: RequestFields,
        from client: ClientAddress,
        on connection: ObjectIdentifier
    ) {
        request = Request(head, fields.conditions)
        let match = RoutePattern.find(head.method, request.target)
        pattern = match?.pattern
        context = RouteContext(
            client: client,
            connection: connection,
            parameters: match?.1 ?? [:]
        )
    }

    /// Checks everything that does not depend on the body, so that a client need not send the body of a rejected request.
    mutating func check(_ fields: RequestFields, _ services: ServerServices) {
        do throws(Problem) {
            guard let route = pattern?.route else { return refusal = try Self.answer(toUnknown: request) }
            try context.enter(fields, route.declaration, services)
            try route.check(request, fields, services)
        } catch {
            refusal = error.reply
        }
    }

    /// A part of the body has come. It is dropped if the route has no use for it, and all of it if there is no room.
    mutating func append(_ bytes: ByteBuffer, _ budget: MemoryBudget) {
        guard refusal == nil, pattern?.route.declaration.hasBody == true else { return }
        let body = request.body ?? RequestBody(budget)
        let fits = body.append(bytes)
        request.body = fits ? body : nil
        if !fits { refusal = Problem.tooManyBodies.reply }
    }

    /// Whether an event loop may do all of the work.
    var isShort: Bool { pattern?.route.isShort == true && request.body?.count ?? 0 <= Workers.shortBytes }

    /// Whether most replies to such calls are quick.
    var isQuick: Bool { pattern?.route.quick != nil }

    func reply(_ services: ServerServices) async -> Reply {
        do {
            guard let route = pattern?.route else { return try Self.answer(toUnknown: request) }
            return try await route.reply(to: request, context, services)
        } catch {
            return services.reply(to: error, context)
        }
    }

    /// The reply, if neither a wait nor a task is needed for it.
    func quickReply(_ services: ServerServices) -> Reply? {
        guard let route = pattern?.route, request.body?.count ?? 0 <= Workers.shortBytes else { return nil }
        do {
            return try route.quickReply(to: request, context, services)
        } catch {
            return services.reply(to: error, context)
        }
    }

    /// The call without its body, as it is kept for a repetition.
    var withoutBody: RouteCall {
        var call = self
        call.request.body = nil
        return call
    }

    /// The call, which has no body, with one, as a request that begins now. Its head has been checked, but for the rights of its
    /// sender, which may have changed since.
    func repeated(with body: ByteBuffer, _ budget: MemoryBudget) -> RouteCall {
        var call = self
        call.start = .now()
        if body.readableBytes > 0 { call.append(body, budget) }
        return call
    }

    func count(_ reply: Reply, _ metrics: ServerMetrics) {
        var name = "none"
        if let pattern {
            name = request.head.method == .HEAD ? "HEAD \(pattern.route.declaration.path)" : pattern.name
        }
        metrics.answered(route: name, status: reply.status.code, in: .now() - start)
    }

    /// Distinguishes a path that does not exist from one with other methods.
    private static func answer(toUnknown request: Request) throws(Problem) -> Reply {
        let methods = RoutePattern.methods(for: request.target.path)
        guard !methods.isEmpty else { throw .unknownTarget }
        let allow = (methods + ["OPTIONS"]).joined(separator: ", ")
        if request.head.method == .OPTIONS { return Reply(.noContent, headers: ["allow": allow]) }
        let detail = "method not allowed; use \(methods.joined(separator: ", "))"
        throw Problem(.methodNotAllowed, "method-not-allowed", detail, headers: ["allow": allow])
    }
}

extension Route {
    /// Checks the coding and the type of the body, and the conditions.
    fileprivate func check(
        _ request: Request,
        _ fields: RequestFields,
        _ services: ServerServices
    ) throws(Problem) {
        if !bodyTypes.isEmpty { try fields.requireWholeBody() }
        if !bodyTypes.isEmpty, !(declaration.mayOmitBody && fields.hasNoBody),
            let problem = services.origins.problem(
                with: fields.contentType,
                accepted: bodyTypes,
                from: RequestOrigin(target: request.head.uri, fields)
            )
        {
            throw problem
        }
        guard !declaration.isRead else { return }
        _ = try request.conditions.matchTags()
        if !declaration.honoursConditions { try request.conditions.requireNone() }
    }

    fileprivate func reply(
        to request: Request,
        _ context: RouteContext,
        _ services: ServerServices
    ) async throws -> Reply {
        var context = context
        if declaration.access != .open {
            context.catchUp = try await services.catchUp(with: try seen(request), request.target)
            // The token may have been revoked during the wait. Writes check it again once their body is complete.
            if declaration.isRead { try context.authorize(services) }
        }
        let reply = try await handler(services, request, context)
        return declaration.isRead ? try reply.applying(request.conditions) : reply
    }

    /// - Returns: `nil` if the reply needs a wait or a turn.
    fileprivate func quickReply(
        to request: Request,
        _ context: RouteContext,
        _ services: ServerServices
    ) throws -> Reply? {
        guard let quick, services.missing(from: try seen(request), request.target) == nil else { return nil }
        // The token may have been revoked since the head was checked.
        try context.authorize(services)
        return try quick(services, request, context)?.applying(request.conditions)
    }

    /// The conditions, with the revision that the client has seen.
    private func seen(_ request: Request) throws(Problem) -> ReadConditions {
        var seen = request.conditions
        // A write waits for the revisions of its conditions alone, with whose contents its tags are compared.
        if !declaration.isRead { seen.liveryRevision = nil }
        // The change that an event announced may have been committed by another server.
        if declaration.isEvaluation, seen.liveryRevision == nil {
            seen.liveryRevision = try request.target.parameter(.flagConfigEtag)
        }
        return seen
    }
}

extension RequestFields {
    /// Refuses a body that is a part of something (RFC 9110, 14.5), or encoded (8.4): its bytes are not the value.
    fileprivate func requireWholeBody() throws(Problem) {
        if hasContentRange {
            let detail = "partial bodies are not supported; remove 'Content-Range'"
            throw Problem(.badRequest, "partial-body", detail, field: "Content-Range")
        }
        guard let codings = contentEncoding, codings.lowercased() != "identity" else { return }
        throw Problem(
            .unsupportedMediaType,
            "unsupported-content-coding",
            "compressed bodies are not supported; remove 'Content-Encoding'",
            field: "Content-Encoding",
            headers: ["accept-encoding": "identity"]
        )
    }
}

// MARK: Errors

extension ServerServices {
    /// The answer to a request that has failed.
    fileprivate func reply(to error: any Error, _ context: RouteContext) -> Reply {
        switch error {
        case let error as EvaluationError:
            let key = context.parameters["key"] == nil ? nil : context.parameter("key")
            return .json(OFREPFailure(key: key, error).json, status: .badRequest)
        case let problem as Problem: return problem.reply
        case let error as ConfigError: return Problem(error).reply
        case let error as StoreError: return Problem(error).reply
        // The connection has ended.
        case is CancellationError: return Problem.shuttingDown.reply
        default:
            logger.error("request failed", metadata: ["error": "\(error)"])
            return Problem(.internalServerError, "internal-error", "internal error; see the log of the server").reply
        }
    }
}

extension Problem {
    /// A failure of the store. Its own message is for operators, in the log, unless it is about the request.
    init(_ error: StoreError) {
        let (status, code, detail, pause): (HTTPResponseStatus, String, String, Int?)
        switch error.code {
        case .tooLarge: (status, code, detail, pause) = (.payloadTooLarge, "too-large", error.message, nil)
        case .overBudget: self = .tooManyAnswers; return
        case .overQuota: (status, code, detail, pause) = (.insufficientStorage, "quota-exceeded", error.message, nil)
        case .full:
            detail = "nothing was written: \(error.reason.sentence)"
            (status, code, pause) = (.insufficientStorage, "storage-full", 30)
        case .readOnly:
            detail = "nothing was written: the store is read-only"
            (status, code, pause) = (.serviceUnavailable, "read-only", 30)
        case .uncertain:
            detail = "the result of the write is unknown; read the current state before you retry"
            (status, code, pause) = (.serviceUnavailable, "write-uncertain", nil)
        default:
            let isUnknown = error.reason == .unreachable
            detail = isUnknown ? "the store is unreachable; try again in a moment" : error.reason.sentence
            (status, code, pause) = (.serviceUnavailable, "store-unavailable", 1)
        }
        self.init(status, code, detail, headers: pause.map { ["retry-after": String($0)] } ?? [:])
    }

    /// The reason why the server is not ready: the cause that is safe to show to anyone; the log has the details.
    ///
    /// - Parameter age: the milliseconds since it was found out.
    init(readiness error: StoreError, age: Int) {
        let (status, code): (HTTPResponseStatus, String) =
            switch error.code {
            case _ where error.reason == .starting: (.serviceUnavailable, "not-ready")
            case .full, .overQuota: (.insufficientStorage, "storage-full")
            case .readOnly: (.serviceUnavailable, "read-only")
            default: (.serviceUnavailable, "store-unavailable")
            }
        let pause = status == .serviceUnavailable ? "1" : "30"
        self.init(status, code, error.reason.sentence, age: age, headers: ["retry-after": pause])
    }
}
