// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
internal import Observing
import RemoteConfig

/// Carries out the commands of the screen of tweaks, and announces changes.
@MainActor
final class TweaksSession {
    let repository: TweakRepository
    let file: TweaksFile
    private let readItems: @Sendable () -> [TweakItem]
    private let readKnownItems: @Sendable () -> [TweakItem]
    /// Sent after rows, or the problems with them, may have changed.
    let changes = ChangeSignal()
    private var subscriptions: [Subscription] = []
    private var commandCount = 0
    private var problem: String?
    private var conflict: TweakStepQuestion?

    /// - Parameters:
    ///   - config: explains where values come from.
    ///   - addRows: adds the rows that are not needed before rows are read, unless they are there.
    init(
        _ repository: TweakRepository,
        of config: ConfigRepository,
        in file: TweaksFile,
        addRows: @escaping @Sendable () -> Void
    ) {
        self.repository = repository
        self.file = file
        let read = { @Sendable in repository.rows.map { row in TweakItem(row) { config.explain(id: row.id) } } }
        readKnownItems = read
        readItems = {
            addRows()
            return read()
        }
        problem = file.file.problem?.message
        subscriptions = [repository.changes, file.store.problemChanges].map { signal in
            signal.subscribe { [changes] in changes.send() }
        }
    }

    var state: TweakState {
        let notSaved = file.store.problem.map { "Not kept for the next start: \($0.message)" }
        return TweakState(
            read: readItems,
            readKnown: readKnownItems,
            commandCount: commandCount,
            problem: problem ?? notSaved,
            conflict: conflict
        )
    }

    /// Reads what others write into the file, until the task is cancelled, and reports what is wrong once the file has
    /// settled, and that it is good again.
    ///
    /// - Parameter executor: where the caller runs, and where changes of the file are reported.
    nonisolated func followFile(on executor: QueueExecutor) async {
        var problem: ConfigError?
        for await hint in file.watched.hints(on: executor.queue) {
            let before = problem
            // What is written meanwhile may wait for another program, and the caller follows the source as well.
            let (file, isSettled) = (file.file, hint == .settled)
            let result = await self.file.store.inBackground {
                Result { () throws(ConfigError) in try file.refresh(isSettled: isSettled) }
            }
            switch result {
            case .success: if isSettled { problem = nil }
            case .failure(let error): problem = error
            }
            if problem != before { await report(problem) }
        }
    }

    private func report(_ error: ConfigError?) {
        problem = error?.description
        changes.send()
    }

    /// Carries out a command of the screen; if that fails, ``state`` says why. Returns the action to run, if there is
    /// one.
    func perform(_ command: TweakCommand) -> TweakAction? {
        commandCount += 1
        (problem, conflict) = (nil, nil)
        do throws(ConfigError) {
            switch command {
            case .set(let id, let value, let isContinuing):
                try repository.tweak(id: id)?.set(value, isContinuing: isContinuing)
            case .reset(let id): try repository.tweak(id: id)?.reset()
            case .resetCategory(let name): try repository.reset(category: name)
            case .resetAll: try repository.resetAll()
            case .step(let step, let isConfirmed):
                let found = step == .undo ? repository.undoConflict : repository.redoConflict
                if let found, !isConfirmed {
                    conflict = TweakStepQuestion(step: step, conflict: found)
                } else if try step == .undo ? !repository.undo() : !repository.redo() {
                    problem = step == .undo ? "There is nothing to undo" : "There is nothing to do again"
                }
            case .perform(let id):
                if case .action(let action) = repository.rows.first(where: { $0.id == id }) { return action }
            }
        } catch {
            problem = error.message
        }
        return nil
    }
}

/// The file of tweaks, which other programs and people may write as well.
struct TweaksFile: Sendable {
    /// Writes to the file in the background: the screen does not wait for it.
    let store: BackgroundStore
    fileprivate let file: FileStore
    fileprivate let watched: FileSource

    init(path: String) {
        file = FileStore(path: path)
        store = BackgroundStore(file)
        watched = FileSource(path: path)
    }
}
