// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Configuration
import Foundation
import RemoteConfig
import TerminalUI
import TestSupport

@testable import LiveryScreens

/// The model and the real tweaks behind it, without a terminal: keys in, screen out.
@MainActor
final class TweakDesk {
    let folder: TemporaryDirectory
    let config: DemoConfig
    let tweaks: TweaksSession
    var model: DemoModel

    /// - Parameters:
    ///   - columns: the screen's width.
    ///   - rows: the screen's height.
    ///   - stored: the file of the tweaks.
    ///   - name: the tweak to open.
    init(
        columns: Int = 80,
        rows: Int = 24,
        depth: ColorDepth = .indexed256,
        stored: String? = nil,
        opening name: String? = nil,
        provider: any ConfigProvider = InMemoryProvider(values: TweakDesk.values)
    ) throws {
        folder = try TemporaryDirectory()
        if let stored {
            try FileManager.default.createDirectory(
                atPath: folder["livery"],
                withIntermediateDirectories: true
            )
            try folder.write(stored, to: "livery/tweaks.json")
        }
        let file = TweaksFile(path: FileStore.tweaksPath(environment: ["XDG_CONFIG_HOME": folder.path]))
        let repository = TweakRepository(store: file.store)
        let config = DemoConfig(reader: ConfigReader(provider: provider), tweaks: repository)
        self.config = config
        tweaks = TweaksSession(repository, in: file)
        model = try Demo.model(size: Size(columns: columns, rows: rows), depth: depth)
        update()
        if let name { open(name) }
    }

    private static let values: [AbsoluteConfigKey: ConfigValue] = [
        "app.background.color": "#FFB6C1", "app.fun_button.text": "Meow! 😸",
        "app.fun_button.url": "https://example.org/cats",
    ]

    /// The values and the tweaks as they are now.
    var state: DemoState { config.state(of: model.configuration, from: nil, problem: tweaks.problem) }

    /// Shows them to the model.
    func update() { _ = model.update(.changed(state)) }

    func send(_ message: DemoModel.Message) { perform(model.update(message)) }

    private func perform(_ effects: [DemoModel.Effect]) {
        for case .tweak(let command) in effects {
            let outcome = tweaks.perform(command)
            send(.tweaked(outcome, state))
        }
    }

    /// Presses keys, or types texts (``Key/named(_:)``).
    func press(_ names: String...) {
        for key in names.flatMap(Key.named) { send(.terminal(.input(.key(key)))) }
    }

    func paste(_ text: String) { send(.terminal(.input(.paste(text)))) }

    /// Opens the detail view of a tweak by searching for its name.
    func open(_ name: String) { press("t", "/", "{\(name)}", "Enter", "Enter") }

    /// Clicks into the middle of the first place where a text is on the screen.
    func click(_ text: String) {
        use(.press(button: 0), at: text)
        use(.release(button: 0), at: text)
    }

    /// Uses the mouse in the middle of the first place where a text is on the screen.
    func use(_ action: MouseEvent.Action, at text: String) {
        if let place = model.middle(of: text) { use(action, at: place) }
    }

    func use(_ action: MouseEvent.Action, at point: Point) {
        send(.terminal(.input(.mouse(MouseEvent(action, at: point)))))
    }

    /// The override of a tweak as JSON; `nil` for none.
    func override(_ id: String) -> String? { tweaks.repository.tweak(id: id)?.override?.canonicalJSON }

    /// The screen as one text.
    var screen: String { model.lines.joined(separator: "\n") }
}
