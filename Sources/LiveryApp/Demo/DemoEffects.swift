import ConfigDefinitions
import RemoteConfig
import TerminalUI

/// Carries out what the model wants done.
@MainActor
final class DemoEffects {
    /// The signal that has ended the program, if one has.
    private(set) var signal: Int32?
    private let app: DemoApp
    private let sync: SyncService
    private let refreshes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let actions = AsyncStream.makeStream(of: TweakAction.self)

    init(of app: DemoApp) {
        self.app = app
        sync = app.sync
    }

    /// Carries out an effect, or starts what takes longer.
    func perform(_ effect: DemoModel.Effect, for loop: ScreenLoop<DemoModel>) {
        switch effect {
        case .refresh: refreshes.continuation.yield()
        case .copy(let text): loop.post(.copied(text, isPossible: app.driver.copy(text)))
        case .open(let url): loop.post(.opened(app.opener.open(url)))
        case .tweak(let command):
            if let action = app.tweaks.perform(command) { actions.continuation.yield(action) }
            // At once, so that the next key meets the state that this one has led to.
            loop.post(.changed(app.state))
        case .quit(let signal):
            self.signal = signal
            loop.end()
        }
    }

    /// Reads the source whenever the model wants it, until the task is cancelled.
    nonisolated func runRefreshes(_ loop: ScreenLoop<DemoModel>) async {
        for await _ in refreshes.stream {
            // One that was requested before the end would start after it.
            if await loop.hasEnded { return }
            await loop.post(.refreshed(await sync.refresh()))
        }
    }

    /// Runs the actions that a person chose, one after the other, until the task is cancelled.
    nonisolated func runActions() async {
        for await action in actions.stream { await action.perform() }
    }
}
