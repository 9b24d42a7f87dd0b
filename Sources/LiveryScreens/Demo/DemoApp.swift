// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
package import ConfigModel
import Dispatch
import Files
internal import Observing
package import RemoteConfig
package import TerminalUI

/// The full-screen program: connects the terminal, the configuration and the model.
@MainActor
package struct DemoApp {
    let driver: any TerminalDriver
    let sync: RemoteConfigService
    let config: DemoConfig
    let tweaks: TweaksSession
    let keys: UserKeys
    let opener: URLOpener
    /// Whether the background may fade.
    package var hasMotion = true
    /// The access of the user to the source, to read more than the values and to edit.
    package var source: any SourceOperator = ReadOnlyOperator("this source cannot be edited")
    /// The sources to switch to; `nil` for the one source alone.
    package var directory: SourceDirectory?
    private let environment: [String: String]

    /// The time for which the first frame waits for the first reading; a slow source is shown when it arrives.
    private static let patience = Duration.milliseconds(30)

    /// - Parameter environment: the environment, for the location of tweaks and the browser.
    package init(driver: any TerminalDriver, sync: RemoteConfigService, keys: UserKeys, environment: [String: String]) {
        let file = TweaksFile(path: FileStore.tweaksPath(environment: environment))
        let repository = TweakRepository(store: file.store)
        (self.driver, self.sync, self.keys, self.environment) = (driver, sync, keys, environment)
        config = DemoConfig(state: sync.state, tweaks: repository)
        tweaks = TweaksSession(repository, in: file)
        opener = URLOpener(environment: environment)
    }

    /// The same program for another source.
    private func following(_ next: FollowedSource) -> DemoApp {
        var app = DemoApp(driver: driver, sync: next.service, keys: keys, environment: environment)
        (app.hasMotion, app.directory, app.source) = (hasMotion, directory, next.access)
        return app
    }

    fileprivate var editor: ExternalEditor { ExternalEditor(environment: environment) }
    fileprivate var importFiles: ImportFiles { ImportFiles(environment: environment) }

    /// The keys that the user has bound, from the file of settings.
    package nonisolated static func keys(environment: [String: String]) throws(ConfigError) -> UserKeys {
        try UserKeys.ofUser(environment: environment, commands: DemoModel.commandNames)
    }

    /// - Returns: the signal that ended the program, if one did.
    package func run() async throws -> Int32? {
        let events = TerminalEvents()
        try driver.start { events.receive($0) }
        var (app, effects, name) = (self, DemoEffects(app: self), directory?.current ?? "")
        var shown = await app.show(events, name, effects, after: nil)
        while let next = effects.next {
            (app, name) = (app.following(next.source), next.name)
            effects = DemoEffects(app: app)
            shown = await app.show(events, name, effects, after: shown)
        }
        // After the end, there is no other place for these lines.
        for line in shown.exitLines { try? Output.standard.write(line.sanitized() + "\n") }
        return effects.signal
    }

    /// Shows one source until the end of the program, or until the user follows another one.
    ///
    /// - Parameters:
    ///   - name: the source, as on the command line.
    ///   - former: the screens of the source before.
    private func show(
        _ events: TerminalEvents,
        _ name: String,
        _ effects: DemoEffects,
        after former: DemoModel?
    ) async -> DemoModel {
        var model = model
        let first = model.begin(with: name, after: former)
        effects.name = name
        let loop = ScreenLoop(model: model, driver: driver, read: { .changed(effects.state) }, perform: effects.perform)
        for effect in first { effects.perform(effect, for: loop) }
        let updates = ScreenUpdates(app: self, loop: loop)
        events.send(to: { loop.post(.terminal($0, at: .now), isInput: true) })
        driver.setTitle("livery: \(sync.state.current.status.source)")
        let background = sync.executor
        await withTaskGroup { group in
            group.addTask(executorPreference: background) { await config.readingCache(of: sync).run() }
            group.addTask(executorPreference: background) {
                if await loop.hasStarted() { await tweaks.followFile(on: background) }
            }
            group.addTask(executorPreference: background) { await effects.runRefreshes(loop) }
            group.addTask(executorPreference: background) { await effects.runActions() }
            if let recent = directory?.recent, name != DemoSource.word, sync.state.current.status.preview == nil {
                group.addTask(executorPreference: background) { if await loop.hasStarted() { recent.add(name) } }
            }
            await withTaskGroup { observers in
                updates.follow(in: &observers)
                await loop.run(firstFrameWithin: Self.patience)
                events.keep()
                // At once: the terminal is not kept for what still has to end.
                if effects.next == nil { driver.stop() }
                effects.preview(nil, loop)
                observers.cancelAll()
            }
            group.cancelAll()
        }
        if let error = await tweaks.file.store.flush() {
            Output.error.writeLine("livery: \(error.description.sanitized())")
        }
        return loop.model
    }

    /// The contents of the screen, read at one moment.
    var state: DemoState { config.state(of: sync.state.current, problem: tweaks.problem) }

    private var model: DemoModel {
        let colors = ColorMatcher(depth: driver.depth)
        let look = ScreenLook(colors: colors, repertoire: driver.repertoire, keys: keys, hasMotion: hasMotion)
        return DemoModel(size: driver.size, look: look, state: state, desk: DeskState(abilities: source.abilities))
    }
}

/// The events of the terminal, which wait while the screens of another source begin.
@MainActor
private final class TerminalEvents {
    private var waiting: [TerminalEvent] = []
    private var receiver: (@MainActor (TerminalEvent) -> Void)?

    func receive(_ event: TerminalEvent) {
        if let receiver { receiver(event) } else { waiting.append(event) }
    }

    func send(to receiver: @escaping @MainActor (TerminalEvent) -> Void) {
        self.receiver = receiver
        for event in waiting { receiver(event) }
        waiting = []
    }

    func keep() { receiver = nil }
}

/// Draws the screen again when the configuration or the tweaks have changed.
@MainActor
private struct ScreenUpdates {
    let app: DemoApp
    let loop: ScreenLoop<DemoModel>
    /// Tasks that wait for messages run next to the main actor: an announcement wakes one thread, the one that draws.
    let executor = QueueExecutor(.main)

    func follow(in group: inout TaskGroup<Void>) {
        group.addTask(executorPreference: executor) { await followConfiguration() }
        group.addTask(executorPreference: executor) { if await loop.hasStarted() { await followTweaks() } }
    }

    /// Follows the states rather than their announcements, which name values: a rule that decides nothing here, and the
    /// context, are shown as well.
    private func followConfiguration() async {
        var updates = app.sync.state.observe().makeAsyncIterator()
        while await updates.next(isolation: #isolation) != nil, !loop.hasEnded {
            if isBehind { loop.invalidate() }
        }
    }

    private func followTweaks() async {
        var hints = app.tweaks.changes.hints().makeAsyncIterator()
        repeat {
            if isBehind { loop.invalidate() }
        } while await hints.next(isolation: #isolation) != nil && !loop.hasEnded
    }

    /// Whether there is something that the last frame does not show.
    private var isBehind: Bool {
        let (shown, current) = (loop.model.state, app.sync.state.current)
        return current.status != shown.configuration.status || current.context != shown.configuration.context
            || current.snapshot.revision != shown.configuration.snapshot.revision
            || app.tweaks.problem != shown.tweaks.problem
            // Open panels show more than the values.
            || !loop.model.panels.isEmpty || app.state.values != shown.values
    }
}

/// The preview of a draft, which is followed while its page is open.
@MainActor
private final class PreviewedDraft {
    private let service: RemoteConfigService
    private let config: DemoConfig
    private let tweaks: TweaksSession
    private let following: Task<Void, Never>

    /// - Parameter invalidate: called after each change.
    init(_ service: RemoteConfigService, of app: DemoApp, _ invalidate: @escaping @MainActor () -> Void) {
        (self.service, tweaks) = (service, app.tweaks)
        config = DemoConfig(state: service.state, tweaks: app.tweaks.repository)
        following = Task(executorPreference: service.executor) {
            async let run: Void = service.run()
            for await _ in service.state.observe() { await invalidate() }
            await run
        }
    }

    /// `nil` before the first reading: a preview has no cached values to begin with.
    var state: DemoState? {
        let current = service.state.current
        return current.status.origin == .source ? config.state(of: current, problem: tweaks.problem) : nil
    }

    func end() { following.cancel() }
}

@MainActor
private final class DemoEffects {
    private(set) var signal: Int32?
    /// The source to follow after the end.
    private(set) var next: (name: String, source: FollowedSource)?
    /// The source, as on the command line.
    var name = ""
    private var previewed: PreviewedDraft?
    private let app: DemoApp
    private let refreshes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let actions = AsyncStream.makeStream(of: TweakAction.self)
    private let requests: OperatorRequests

    init(app: DemoApp) {
        self.app = app
        requests = OperatorRequests(
            source: app.source,
            others: app.directory?.contents,
            files: app.importFiles,
            executor: app.sync.executor
        )
    }

    /// The contents of the screen: those of a preview once it has been read.
    var state: DemoState { previewed?.state ?? app.state }

    /// Shows the preview of a draft, or the source again.
    func preview(_ draft: String?, _ loop: ScreenLoop<DemoModel>) {
        previewed?.end()
        previewed = nil
        // Without a preview, the page of the draft has the error.
        if let draft, let source = try? app.directory?.open("\(name)?draft=\(draft)") {
            previewed = PreviewedDraft(source.service, of: app) { loop.invalidate() }
        }
        loop.invalidate()
    }

    func perform(_ effect: DemoModel.Effect, for loop: ScreenLoop<DemoModel>) {
        switch effect {
        case .refresh: refreshes.continuation.yield()
        case .redraw: app.driver.redraw()
        case .copy(let text): loop.post(.copied(text, app.driver.copy(text)))
        case .open(let url):
            let outcome = app.opener.open(url) { failure in Task { @MainActor in loop.post(.opened(failure)) } }
            loop.post(.opened(outcome))
        case .work:
            // After the keys that wait, so that none of them waits for it.
            Task { loop.post(.working) }
        case .tweak(let command):
            if case .perform(let id) = command, let action = app.tweaks.repository.action(id: id) {
                actions.continuation.yield(action)
            }
            // At once, so that the next key applies to the new state.
            let outcome = app.tweaks.perform(command)
            loop.post(.tweaked(outcome, state))
        case .request(let request): requests.send(request) { loop.post(.answered($0)) }
        case .cancel(let request): requests.cancel(request)
        case .save(let request):
            Task(executorPreference: app.sync.executor) { await loop.post(.saved(request, await request.outcome())) }
        case .edit(let edit):
            let (driver, editor) = (app.driver, app.editor)
            Task { loop.post(.edited(await driver.withTerminalReleased { await editor.run(edit) })) }
        case .listSources: loop.post(.recentSources(app.directory?.recent.names() ?? []))
        case .check(let names): for name in names { check(name, for: loop) }
        case .follow(let name): follow(name, loop)
        case .preview(let draft): preview(draft, loop)
        case .createFile(let path): loop.post(.reported(createFile(path)))
        case .quit(let signal):
            self.signal = signal
            loop.end()
        }
    }

    private func check(_ name: String, for loop: ScreenLoop<DemoModel>) {
        guard let directory = app.directory else { return }
        Task(executorPreference: app.sync.executor) {
            let check = await directory.check(name)
            await loop.post(.checked(name, check))
        }
    }

    private func follow(_ name: String, _ loop: ScreenLoop<DemoModel>) {
        do {
            guard let directory = app.directory else { return }
            next = (name, try directory.open(name))
            loop.end()
        } catch {
            loop.post(.reported("Cannot follow \(name): \(error)"))
        }
    }

    /// - Returns: the feedback.
    private func createFile(_ path: String) -> String {
        // The file may have been created in the meantime.
        guard FileState(path: path) == nil else { return "\(path) exists already" }
        do throws(OperationFailure) {
            try AtomicFile(path: path).replace(with: Array((FirstSteps.document + "\n").utf8))
            return "Created \(path)"
        } catch {
            return "Cannot create \(path): \(error)"
        }
    }

    nonisolated func runRefreshes(_ loop: ScreenLoop<DemoModel>) async {
        for await _ in refreshes.stream {
            // One that was requested before the end would start after it.
            if await loop.hasEnded { return }
            await loop.post(.refreshed(await app.sync.refreshOutcome()))
        }
    }

    nonisolated func runActions() async {
        for await action in actions.stream { await action.perform() }
    }
}
