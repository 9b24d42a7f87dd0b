internal import ConfigModel
internal import ConfigStore
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// Turns errors into answers by RFC 9457, and counts answers.
struct ProblemMiddleware: RouterMiddleware {
    let metrics: ServerMetrics
    let logger: Logger

    func handle(
        _ request: Request,
        context: RouteContext,
        next: @concurrent (Request, RouteContext) async throws -> Response
    ) async throws -> Response {
        let start = NIODeadline.now()
        let response: Response
        do {
            response = try await next(request, context)
        } catch is HTTPParserError {
            response = Problem(HTTPParserError.unknown).reply.response(from: request, context: context)
        } catch {
            response = reply(to: error, request).response(from: request, context: context)
        }
        metrics.answered(route: routeName(request, context), status: UInt(response.status.code), in: .now() - start)
        return response
    }

    private func routeName(_ request: Request, _ context: RouteContext) -> String {
        guard let path = context.coreContext.endpointPath.value, path.hasPrefix("/") else { return "none" }
        return "\(request.method.rawValue) \(path)"
    }

    private func reply(to error: any Error, _ request: Request) -> Reply {
        switch error {
        case let problem as Problem: return problem.reply
        case let error as ConfigError: return Problem(error).reply
        case let error as StoreError: return Problem(error).reply
        case let error as HTTPError where error.status == .notFound: return missing(request)
        case let error as HTTPError:
            let status = HTTPResponseStatus(statusCode: error.status.code)
            return Problem(status, "refused", error.body ?? error.status.reasonPhrase).reply
        case is CancellationError: return Problem.shuttingDown.reply
        default:
            logger.error("a request failed", metadata: ["error": "\(error)"])
            return Problem(.internalServerError, "internal-error", "the server failed; its log says why").reply
        }
    }

    /// Distinguishes a path that does not exist from one with other methods.
    private func missing(_ request: Request) -> Reply {
        let methods = Route.methods(for: request.target.path)
        guard !methods.isEmpty else { return Problem.unknownTarget.reply }
        let allow = (methods + ["OPTIONS"]).joined(separator: ", ")
        if request.method == .options { return Reply(.noContent, headers: ["allow": allow]) }
        let detail = "this path has the methods \(methods.joined(separator: ", "))"
        return Problem(.methodNotAllowed, "method-not-allowed", detail, headers: ["allow": allow]).reply
    }
}

extension Problem {
    /// A failure of the store. Its own message is for operators, in the log, unless it is about the request.
    init(_ error: StoreError) {
        let (status, code, detail, pause): (HTTPResponseStatus, String, String, Int?)
        switch error.code {
        case .tooLarge: (status, code, detail, pause) = (.payloadTooLarge, "too-large", error.message, nil)
        case .overQuota: (status, code, detail, pause) = (.insufficientStorage, "quota-exceeded", error.message, nil)
        case .full:
            detail = "the server's disk is full; nothing was written, try again once its operator has made room"
            (status, code, pause) = (.insufficientStorage, "storage-full", 30)
        case .readOnly:
            detail = "the server can read its store but not write to it; nothing was written"
            (status, code, pause) = (.serviceUnavailable, "read-only", 30)
        case .uncertain:
            detail = "the server cannot tell whether this was written; read what is there before writing it again"
            (status, code, pause) = (.serviceUnavailable, "write-uncertain", nil)
        case .unavailable, .damaged:
            detail = "the server's store cannot be reached; try again in a moment"
            (status, code, pause) = (.serviceUnavailable, "store-unavailable", 1)
        }
        self.init(status, code, detail, headers: pause.map { ["retry-after": String($0)] } ?? [:])
    }
}
