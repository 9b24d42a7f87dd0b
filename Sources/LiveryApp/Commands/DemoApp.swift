import ConfigDefinitions
import ConfigModel
import Configuration
import Files
import Foundation
import Observing
import RemoteConfig
import TerminalUI

/// The full-screen program: brings the terminal, the configuration and the model together.
@MainActor
struct DemoApp {
    let driver: any TerminalDriver
    let sync: SyncService
    let tweaks: DemoTweaks
    var keys = KeyMap.standard
    let opener: URLOpener
    var notificationCenter = NotificationCenter.default

    /// How long the first frame waits for the first reading; a slow source is shown when it comes.
    private static let patience = Duration.milliseconds(30)

    /// - Returns: the signal that ended the program, if one did.
    func run() async throws -> Int32? {
        let model = DemoModel(
            size: driver.size,
            colors: ColorMatcher(depth: driver.depth),
            repertoire: driver.repertoire,
            keys: keys,
            configuration: sync.state.current,
            tweaks: tweaks.state
        )
        let (refreshes, refreshing) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (actions, acting) = AsyncStream.makeStream(of: TweakAction.self)
        let (changes, changing) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let tweakChanges = tweaks.repository.changes.subscribe { changing.yield() }
        let tweakProblems = tweaks.store.problemChanges.subscribe { changing.yield() }
        defer { for subscription in [tweakChanges, tweakProblems] { subscription.end() } }
        let ending = Ending()
        let loop = ScreenLoop(model: model, driver: driver) { effect, loop in
            switch effect {
            case .refresh: refreshing.yield()
            case .copy(let text): loop.post(.copied(text, isPossible: driver.copy(text)))
            case .tweak(let command):
                if let action = tweaks.perform(command) { acting.yield(action) }
                // At once, so that the next key meets the state that this one has led to.
                loop.post(.tweaks(tweaks.state))
            case .open(let url): loop.post(.opened(opener.open(url)))
            case .quit(let signal):
                ending.signal = signal
                loop.end()
            }
        }
        try driver.start { loop.post(.terminal($0)) }
        driver.setTitle("livery: \(sync.state.current.status.source)")
        let background = QueueExecutor(label: "livery.app")
        await withTaskGroup { group in
            group.addTask(executorPreference: background) { await sync.run() }
            group.addTask(executorPreference: background) {
                for await _ in refreshes {
                    // One that was asked for before the end would begin after it.
                    if await loop.hasEnded { return }
                    await loop.post(.refreshed(await sync.refresh()))
                }
            }
            group.addTask(executorPreference: background) {
                for await action in actions { await action.perform() }
            }
            group.addTask(executorPreference: background) {
                for await _ in changes { await show(tweaks, on: loop) }
            }
            group.addTask(executorPreference: background) {
                await tweaks.file.follow { error in await tell(error, of: tweaks, on: loop) }
            }
            await withTaskGroup { observers in
                observers.addTask(executorPreference: background) { await follow(ConfigDidUpdate.self, loop) }
                observers.addTask(executorPreference: background) { await follow(SyncStatusDidChange.self, loop) }
                await loop.run(firstFrameWithin: Self.patience)
                // At once: whatever still has to end, the terminal is not kept for it.
                driver.stop()
                releaseObservers()
            }
            group.cancelAll()
        }
        if let error = await tweaks.store.flush() { Output.error.writeLine("livery: \(error.description.sanitized())") }
        for line in loop.model.parting { try? Output.standard.write(line.sanitized() + "\n") }
        return ending.signal
    }

    private func show(_ tweaks: DemoTweaks, on loop: ScreenLoop<DemoModel>) {
        loop.post(.tweaks(tweaks.state))
    }

    private func tell(_ error: ConfigError?, of tweaks: DemoTweaks, on loop: ScreenLoop<DemoModel>) {
        tweaks.tell(error)
        loop.post(.tweaks(tweaks.state))
    }

    private func follow<Message: NotificationCenter.AsyncMessage>(
        _ type: Message.Type,
        _ loop: ScreenLoop<DemoModel>
    ) async where Message.Subject == ConfigState {
        let state = sync.state
        var messages = notificationCenter.messages(of: state, for: type).makeAsyncIterator()
        // What was announced before anyone listened.
        if state.current.status.phase != .starting { show(state.current, on: loop) }
        while !loop.hasEnded, await messages.next(isolation: #isolation) != nil {
            show(state.current, on: loop)
        }
    }

    /// The initial values of tweaks are those of the configuration.
    private func show(_ current: ConfigState.Current, on loop: ScreenLoop<DemoModel>) {
        loop.post(.configuration(current))
        loop.post(.tweaks(tweaks.state))
    }

    /// Lets observers see that the loop has ended.
    ///
    /// Cancelling them is not enough: Foundation's sequence of messages waits for ever if it is cancelled just before
    /// it begins to wait.
    private func releaseObservers() {
        let current = sync.state.current
        let update = ConfigDidUpdate(revision: current.snapshot.revision, changedKeys: [])
        notificationCenter.post(update, subject: sync.state)
        notificationCenter.post(SyncStatusDidChange(status: current.status), subject: sync.state)
    }
}

/// What effects leave behind.
@MainActor
private final class Ending {
    var signal: Int32?
}
