import ConfigDefinitions
import ConfigModel
import Files
import Foundation
import RemoteConfig
import TerminalUI

/// The full-screen program: connects the terminal, the configuration and the model.
@MainActor
struct DemoApp {
    let driver: any TerminalDriver
    let sync: SyncService
    let config: DemoConfig
    let tweaks: TweaksSession
    var keys = KeyMap.standard
    let opener: URLOpener

    /// How long the first frame waits for the first reading; a slow source is shown when it arrives.
    private static let patience = Duration.milliseconds(30)

    /// Connects the screen to a service and to the user's tweaks.
    ///
    /// - Parameter environment: the program's environment, which says where tweaks are kept and how to open a browser.
    init(driver: any TerminalDriver, sync: SyncService, keys: KeyMap, environment: [String: String]) {
        let file = TweaksFile(path: FileStore.tweaksPath(environment: environment))
        let repository = TweakRepository(store: file.store)
        self.driver = driver
        self.sync = sync
        self.keys = keys
        config = DemoConfig(state: sync.state, tweaks: repository)
        tweaks = TweaksSession(repository, of: config.repository, in: file)
        opener = URLOpener(environment: environment)
    }

    /// - Returns: the signal that ended the program, if one did.
    func run() async throws -> Int32? {
        let effects = DemoEffects(of: self)
        let loop = ScreenLoop(model: model, driver: driver, perform: effects.perform)
        let updates = ScreenUpdates(of: self, for: loop)
        try driver.start { loop.post(.terminal($0)) }
        driver.setTitle("livery: \(sync.state.current.status.source)")
        let background = QueueExecutor(label: "livery.app")
        await withTaskGroup { group in
            group.addTask(executorPreference: background) { await sync.run() }
            group.addTask(executorPreference: background) { await tweaks.followFile() }
            group.addTask(executorPreference: background) { await effects.runRefreshes(loop) }
            group.addTask(executorPreference: background) { await effects.runActions() }
            await withTaskGroup { observers in
                updates.follow(in: &observers, on: background)
                await loop.run(firstFrameWithin: Self.patience)
                // At once: the terminal is not kept for what still has to end.
                driver.stop()
                updates.release()
            }
            group.cancelAll()
        }
        if let error = await tweaks.file.store.flush() {
            Output.error.writeLine("livery: \(error.description.sanitized())")
        }
        for line in loop.model.parting { try? Output.standard.write(line.sanitized() + "\n") }
        return effects.signal
    }

    /// What the screen shows, read now.
    var state: DemoState {
        let current = sync.state.current
        return DemoState(configuration: current, values: config.values(in: current.snapshot), tweaks: tweaks.state)
    }

    private var model: DemoModel {
        DemoModel(
            size: driver.size,
            colors: ColorMatcher(depth: driver.depth),
            repertoire: driver.repertoire,
            keys: keys,
            state: state
        )
    }
}

/// Hands a screen what is announced on the notification centre: the one way by which it learns of changes.
@MainActor
private struct ScreenUpdates {
    private let app: DemoApp
    private let loop: ScreenLoop<DemoModel>
    private let notificationCenter = NotificationCenter.default

    init(of app: DemoApp, for loop: ScreenLoop<DemoModel>) {
        self.app = app
        self.loop = loop
    }

    /// Follows the configuration, its status and the tweaks until ``release()``.
    func follow(in group: inout TaskGroup<Void>, on executor: QueueExecutor) {
        let (configuration, tweaks) = (app.sync.state, app.tweaks)
        group.addTask(executorPreference: executor) { await follow(ConfigDidUpdate.self, of: configuration) }
        group.addTask(executorPreference: executor) { await follow(SyncStatusDidChange.self, of: configuration) }
        group.addTask(executorPreference: executor) { await follow(TweaksDidChange.self, of: tweaks) }
    }

    private func follow<Message: NotificationCenter.AsyncMessage>(
        _ type: Message.Type,
        of subject: Message.Subject
    ) async where Message.Subject: AnyObject & Sendable {
        var messages = notificationCenter.messages(of: subject, for: type).makeAsyncIterator()
        // What was announced before anyone listened.
        if app.sync.state.current.status.phase != .starting { show() }
        while !loop.hasEnded, await messages.next(isolation: #isolation) != nil { show() }
    }

    private func show() { loop.post(.changed(app.state)) }

    /// Lets the observers see that the loop has ended.
    ///
    /// Cancelling them is not enough: Foundation's sequence of messages waits forever if it is cancelled just before it
    /// starts to wait.
    func release() {
        let current = app.sync.state.current
        let update = ConfigDidUpdate(revision: current.snapshot.revision, changedKeys: [])
        notificationCenter.post(update, subject: app.sync.state)
        notificationCenter.post(SyncStatusDidChange(status: current.status), subject: app.sync.state)
        notificationCenter.post(TweaksDidChange(), subject: app.tweaks)
    }
}
