// SPDX-License-Identifier: Apache-2.0

import ConfigRules
import Hummingbird
import Logging
import RemoteConfig
import ServiceLifecycle

/// An offer for the user of each request. Rules are evaluated here: no request of a user leads to one to the server.
///
/// - Parameters:
///   - config: the configuration, which runs as a service of the app.
///   - port: where the offers are served.
func buildOffers(by config: RemoteConfigService, port: Int) -> some ApplicationProtocol {
    let router = Router()
    router.add(middleware: UserMiddleware())
    router.get("/offer") { _, _ in
        // The values of the request's user: the middleware has named it.
        let discount = config.value(forKey: "offer.discount", default: 0)
        let title = config.value(forKey: "offer.title", default: "Today")
        return "\(title): \(discount) %"
    }
    return Application(
        router: router,
        configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
        services: [config, ExposureReport(config: config)]
    )
}

/// Logs the variants that users get, for an experiment. The sequence ends with the graceful shutdown of the app.
struct ExposureReport: Service {
    let config: RemoteConfigService

    func run() async {
        let logger = Logger(label: "exposures")
        for await exposure in config.exposures() {
            let (variant, user) = (exposure.variant ?? "none", exposure.targetingKey ?? "none")
            logger.debug("exposure", metadata: ["key": "\(exposure.key)", "variant": "\(variant)", "user": "\(user)"])
        }
    }
}

/// Sets the context of each request.
struct UserMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        // A real service takes the user from its session.
        guard let user = request.uri.queryParameters.get("user") else { throw HTTPError(.unauthorized) }
        let language = request.headers[.acceptLanguage] ?? "en"
        let evaluation = EvaluationContext(targetingKey: user, ["language": .string(language)])
        return try await EvaluationContext.$current.withValue(evaluation) { try await next(request, context) }
    }
}
