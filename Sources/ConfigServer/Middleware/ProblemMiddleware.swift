internal import ConfigModel
internal import ConfigStore
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOHTTP1

/// Makes every error an answer by RFC 9457, and counts answers.
struct ProblemMiddleware: RouterMiddleware {
    let table: RouteTable
    let metrics: ServerMetrics
    let logger: Logger

    func handle(
        _ request: Request,
        context: RouteContext,
        next: @concurrent (Request, RouteContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response: Response
        do {
            response = try await next(request, context)
        } catch is HTTPParserError {
            response = RequestCheck.problem(.unknown).reply.response(from: request, context: context)
        } catch {
            response = reply(to: error, request).response(from: request, context: context)
        }
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        metrics.answered(
            route: routeName(request, context),
            status: UInt(response.status.code),
            nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        )
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
            return Problem(
                .internalServerError,
                "internal-error",
                "the server failed; its log says why"
            ).reply
        }
    }

    /// Tells a path that does not exist from one that takes other methods.
    private func missing(_ request: Request) -> Reply {
        let methods = table.methods(for: request.target.path)
        guard !methods.isEmpty else { return Problem.unknownTarget.reply }
        let allow = (methods + ["OPTIONS"]).joined(separator: ", ")
        if request.method == .options { return Reply(.noContent, headers: ["allow": allow]) }
        return Problem(
            .methodNotAllowed,
            "method-not-allowed",
            "this takes \(methods.joined(separator: ", "))",
            headers: ["allow": allow]
        ).reply
    }
}
