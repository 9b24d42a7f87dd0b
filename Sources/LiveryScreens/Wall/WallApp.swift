// SPDX-License-Identifier: Apache-2.0

import ConfigModel
package import ConfigRules
import RemoteConfig
package import TerminalUI

/// The full-screen program of a wall: connects the terminal, the clients and the model.
@MainActor
package final class WallApp {
    private let driver: any TerminalDriver
    private let source: SourcePlace
    private let keys: UserKeys
    private let context: EvaluationContext
    private var clients: [WallClient] = []
    private var news: WallNews?
    private var signal: Int32?
    private let beginnings = AsyncStream.makeStream(of: WallClient.self)
    private let refreshes = AsyncStream.makeStream(of: [RemoteConfigService].self, bufferingPolicy: .bufferingNewest(1))
    private let background = QueueExecutor(label: "livery.wall")

    /// The time for which the first frame waits for the first reading.
    private static let patience = Duration.milliseconds(30)

    /// - Parameters:
    ///   - source: what each client connects to.
    ///   - context: who the clients are, apart from their names.
    package init(
        driver: any TerminalDriver,
        keys: UserKeys,
        source: SourcePlace,
        context: EvaluationContext = EvaluationContext()
    ) {
        (self.driver, self.keys, self.source, self.context) = (driver, keys, source, context)
    }

    /// - Parameter count: how many clients there are at the beginning.
    /// - Returns: the signal that ended the program, if one did.
    package func run(clients count: Int) async throws -> Int32? {
        let loop = ScreenLoop(model: model, driver: driver, read: { [self] in .changed(state) }, perform: perform)
        news = WallNews { loop.invalidate() }
        try populate(count)
        try driver.start { loop.post(.terminal($0), isInput: true) }
        driver.setTitle("livery: wall of \(source.name)")
        await withTaskGroup { group in
            group.addTask(executorPreference: background) { await self.runClients() }
            group.addTask(executorPreference: background) { await self.runRefreshes(loop) }
            await loop.run(firstFrameWithin: Self.patience)
            // At once: the terminal is not kept for what still has to end.
            driver.stop()
            group.cancelAll()
        }
        return signal
    }

    private var model: WallModel {
        let look = ScreenLook(colors: ColorMatcher(depth: driver.depth), repertoire: driver.repertoire, keys: keys)
        return WallModel(size: driver.size, look: look, source: source.name)
    }

    private var state: WallState {
        // The arrivals first: a client with one shows it, and later news is announced again.
        let arrivals = news?.take() ?? []
        return WallState(screens: clients.map(\.screen), arrivals: arrivals)
    }

    private func perform(_ effect: WallModel.Effect, _ loop: ScreenLoop<WallModel>) {
        switch effect {
        case .refresh: refreshes.continuation.yield(clients.map(\.sync))
        case .populate(let count):
            loop.invalidate()
            do throws(ConfigError) { try populate(count) } catch { loop.post(.refused(error)) }
        case .redraw: driver.redraw()
        case .quit(let signal):
            self.signal = signal
            loop.end()
        }
    }

    private func populate(_ count: Int) throws(ConfigError) {
        while clients.count > count { clients.removeLast().end() }
        while clients.count < count {
            let identity = WallIdentity(number: clients.count + 1)
            let client = WallClient(identity, source: try source.source(), context: context)
            if let news { client.observe(news) }
            clients.append(client)
            beginnings.continuation.yield(client)
        }
    }

    private nonisolated func runClients() async {
        await withTaskGroup { group in
            for await client in beginnings.stream {
                group.addTask(executorPreference: client.sync.executor) { await client.run() }
            }
        }
    }

    private nonisolated func runRefreshes(_ loop: ScreenLoop<WallModel>) async {
        for await services in refreshes.stream {
            if await loop.hasEnded { return }
            let outcomes = await withTaskGroup { group in
                for service in services {
                    group.addTask(executorPreference: service.executor) { await service.refreshOutcome() }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            await loop.post(.refreshed(outcomes))
        }
    }
}
