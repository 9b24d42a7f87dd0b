// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigServer
import ConfigStore
import Hummingbird
import Logging

/// A shop whose owner changes the greeting while it runs: the shop's own route, and a Livery server on another port. Both are
/// services of the app's group: they start and end together.
///
/// - Parameters:
///   - store: where the configuration is.
///   - port: where the shop listens.
///   - configPort: where programs read and change the configuration; 0 for any port that is free.
///   - onListening: called with the address of the Livery server.
func buildShop(
    on store: some EntryStore,
    port: Int,
    configPort: Int,
    onListening: @escaping @Sendable (HostAndPort) async -> Void
) throws -> some ApplicationProtocol {
    let logger = Logger(label: "shop")
    var settings = ServerSettings()
    settings.address.port = configPort
    let config = try ServerApplication(
        store: store,
        // Without tokens it serves programs of this machine only.
        policy: AccessPolicy(tokens: nil),
        settings: settings,
        logger: logger,
        onListening: onListening
    )
    let router = Router()
    router.get("/") { [hub = config.hub] _, _ in
        // Until the store has been loaded there is no state.
        guard let state = hub.state(of: "default") else { throw HTTPError(.serviceUnavailable) }
        guard case .string(let greeting)? = state.entry("shop.greeting")?.value else { return "Welcome" }
        return greeting
    }
    return Application(
        router: router,
        configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
        services: [config],
        logger: logger
    )
}
