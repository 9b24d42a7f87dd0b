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
    /// Sent after rows, or the problems with them, may have changed.
    let changes = ChangeSignal()
    private var subscriptions: [ObservationToken] = []
    private var fileProblem: String?

    init(_ repository: TweakRepository, in file: TweaksFile) {
        (self.repository, self.file) = (repository, file)
        fileProblem = file.file.problem?.message
        subscriptions = [repository.changes, file.store.problemChanges].map { signal in
            signal.subscribe { [changes] in changes.send() }
        }
    }

    /// The problem with the file.
    var problem: String? {
        fileProblem ?? file.store.problem.map { "Not saved, lost on restart: \($0.message)" }
    }

    /// Reads changes of the file by others until the task is cancelled, and reports an error once the file has settled, and its
    /// end.
    ///
    /// - Parameter executor: where the caller runs, and where changes of the file are reported.
    nonisolated func followFile(on executor: QueueExecutor) async {
        var problem: ConfigError?
        for await hint in file.watched.hints(on: executor.queue) {
            let before = problem
            // The write may wait for another program, and the caller follows the source as well.
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
        fileProblem = error?.description
        changes.send()
    }

    /// Carries out a command, but for ``TweakCommand/perform(id:)``.
    func perform(_ command: TweakCommand) -> TweakOutcome {
        fileProblem = nil
        return repository.perform(command)
    }
}

extension TweakRepository {
    /// Carries out a command, but for ``TweakCommand/perform(id:)``.
    func perform(_ command: TweakCommand) -> TweakOutcome {
        do throws(ConfigError) {
            switch command {
            case .set(let id, let value, let isContinuing):
                try tweak(id: id)?.set(value, isContinuing: isContinuing)
            case .reset(let id): try tweak(id: id)?.reset()
            case .resetCategory(let name): try reset(category: name)
            case .resetAll: try resetAll()
            case .step(let step, let isConfirmed):
                let found = step == .undo ? undoConflict : redoConflict
                if let found, !isConfirmed { return .question(TweakStepQuestion(step: step, conflict: found)) }
                if try step == .undo ? undo() : redo() { break }
                return .failed(step == .undo ? "Nothing to undo" : "Nothing to redo")
            case .perform: break
            }
        } catch {
            return .failed(error.message)
        }
        return .done
    }

    /// The action of an id.
    func action(id: String) -> TweakAction? {
        if case .action(let action) = rows.first(where: { $0.id == id }) { action } else { nil }
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
