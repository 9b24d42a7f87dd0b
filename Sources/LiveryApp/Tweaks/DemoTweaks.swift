import ConfigDefinitions
import ConfigModel
import Configuration
import RemoteConfig

/// The demo's definitions and tweaks, for the screen that shows and changes them.
@MainActor
final class DemoTweaks {
    let repository: TweakRepository
    private let config: ConfigRepository
    let file: TweaksFile
    /// Writes to the file, which the screen does not wait for.
    let store: BackgroundStore
    private var commandCount = 0
    private var problem: String?

    /// - Parameters:
    ///   - reader: where remote values are read.
    ///   - environment: the program's environment, which says where overrides are kept.
    init(reader: ConfigReader, environment: [String: String]) {
        file = TweaksFile(path: FileStore.tweaksPath(environment: environment))
        store = BackgroundStore(file.store)
        repository = TweakRepository(store: store)
        // The screen reads all values again after each update, so nobody has to watch single keys.
        let remote = ReaderSource(reader, watching: .never)
        config = ConfigRepository(sources: ConfigSources(remote: remote, tweaks: repository))
        let demo = DemoDefinitions()
        config.add(demo.background, demo.buttonText, demo.buttonURL)
        Showcase.add(to: config)
        problem = file.store.problem?.message
        repository.add(action("demo.sky", "Paint it like the sky", demo.background.id, "#87CEFA"))
        repository.add(action("demo.blossom", "Paint it like a blossom", demo.background.id, "#FFB6C1"))
    }

    private func action(_ id: String, _ name: String, _ tweak: String, _ color: String) -> TweakAction {
        TweakAction(id, category: "Demo", section: "Actions", name: name) { [weak repository] in
            try? repository?.tweak(id: tweak)?.set(.string(color))
        }
    }

    /// The rows as they are now.
    var state: TweakState {
        let items = repository.rows.map { row in TweakItem(row) { [config] in config.explain(id: row.id) } }
        let unkept = store.problem.map { "Not kept for the next start: \($0.message)" }
        return TweakState(items: items, commandCount: commandCount, problem: problem ?? unkept)
    }

    /// Has ``state`` tell what is wrong with the file, or nothing.
    func tell(_ error: ConfigError?) { problem = error?.description }

    /// Carries out what the screen asks for. What goes wrong is told by ``state``.
    ///
    /// - Returns: the action to run, if that is what was asked for.
    func perform(_ command: TweakCommand) -> TweakAction? {
        commandCount += 1
        problem = nil
        do throws(ConfigError) {
            switch command {
            case .set(let id, let value, let isContinuing):
                try repository.tweak(id: id)?.set(value, isContinuing: isContinuing)
            case .reset(let id): try repository.tweak(id: id)?.reset()
            case .resetCategory(let name): try repository.reset(category: name)
            case .resetAll: try repository.resetAll()
            case .undo: if try !repository.undo() { problem = "There is nothing to undo" }
            case .perform(let id):
                if case .action(let action) = repository.rows.first(where: { $0.id == id }) { return action }
            }
        } catch {
            problem = error.message
        }
        return nil
    }
}
