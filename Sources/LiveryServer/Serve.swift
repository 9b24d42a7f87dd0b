import ArgumentParser
import ConfigModel
import ConfigServer
import ConfigStoreTesting
import Foundation
import Logging
import Metrics
import ServiceLifecycle

/// `livery-server serve`.
struct Serve: AsyncServerCommand {
    static let configuration = CommandConfiguration(abstract: "Serve (the default).")

    @Option(help: "Where to listen.", transform: Self.address)
    var address = ListenAddress(host: "127.0.0.1", port: 3000)

    static func address(_ text: String) throws -> ListenAddress {
        guard let address = ListenAddress(text) else { throw ValidationError("Say host:port, such as 127.0.0.1:3000.") }
        return address
    }

    func execute() async throws {
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        let logger = Logger(label: "livery-server")
        var settings = ServerSettings()
        settings.address = address
        let server = try ServerApplication(
            hub: ConfigHub(store: MemoryStore(), logger: logger),
            policy: AccessPolicy(tokens: nil),
            settings: settings,
            registry: registry,
            logger: logger
        ) { address in
            FileHandle.standardError.write(Data("listening on http://\(address)\n".utf8))
        }
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: server)],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            )
        )
        try await group.run()
    }
}
