// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigServer
import ConfigStore
import ConfigStoreTesting
import Dispatch
import Logging
import ServiceLifecycle
import Synchronization

/// A server in this process with a store in memory, which anybody on this machine may write to.
///
/// A complete server, with its event loops and its routes: effects of a connection on the next one, or of a route on a
/// connection, are found only this way.
enum LoopbackServer {
    /// The port, once it listens. The server is started at first use.
    static let port = start()

    private final class Waiter: Sendable {
        let port = Atomic(0)
        let isReady = DispatchSemaphore(value: 0)
    }

    private static func start() -> Int {
        let waiter = Waiter()
        Task.detached {
            let logger = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
            var settings = ServerSettings()
            settings.address.port = 0
            settings.eventLoops = 1
            let (ports, port) = AsyncStream.makeStream(of: Int.self)
            let application = try ServerApplication(
                store: ReferenceStore(epoch: Epoch(rawValue: 1)),
                policy: AccessPolicy(tokens: nil),
                settings: settings,
                logger: logger
            ) { port.yield($0.port) }
            Task {
                guard let number = await ports.first(where: { _ in true }),
                    await application.hub.wait(atMost: .seconds(60), for: { $0.head }) != nil
                else { return }
                waiter.port.store(number, ordering: .releasing)
                waiter.isReady.signal()
            }
            let group = ServiceGroup(configuration: .init(services: [.init(service: application)], logger: logger))
            try await group.run()
        }
        waiter.isReady.wait()
        return waiter.port.load(ordering: .acquiring)
    }
}
