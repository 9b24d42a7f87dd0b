// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import ConfigWire
import RemoteConfig
import TerminalUI
import Testing

@testable import LiveryScreens

/// A screen of the program without a source. What is listed here is drawn by every test of all screens.
struct CatalogScreen: Sendable, CustomTestStringConvertible {
    let name: String
    /// The panel over or beside the main screen.
    private let panel: PanelKind?
    /// The contents of the source, one after the other.
    private let documents: [String]
    private let source: String
    /// Why the source cannot be read after them.
    private let problem: String?
    /// The overrides, by their keys in a store.
    private let tweaks: [String: EntryValue]
    /// The sources of the list.
    private let checks: [String: SourceCheck]
    /// The keys that are pressed on the open screen.
    private let keys: [Key]

    var testDescription: String { name }

    /// The program with this screen open.
    func model(columns: Int, rows: Int) throws -> DemoModel { try desk(columns: columns, rows: rows).model }

    /// The program with this screen open, to send more events to.
    func desk(columns: Int, rows: Int) throws -> CatalogDesk {
        try desk(Size(columns: columns, rows: rows), .indexed256)
    }

    /// The frame in a number of colours, and the styles of its page.
    func frame(_ size: Size, _ depth: ColorDepth) throws -> CatalogPanel.Frame {
        let model = try desk(size, depth).model
        return (model.view(), model.main.theme)
    }

    private func desk(_ size: Size, _ depth: ColorDepth) throws -> CatalogDesk {
        let first = try configuration(documents[0], after: nil)
        var desk = CatalogDesk(first, tweaks: tweaks, checks: checks, size: size, depth: depth)
        var current = first
        for document in documents.dropFirst() {
            current = try configuration(document, after: current)
            desk.show(current)
        }
        if let problem {
            let error = ConfigError(.unreadable, problem, source: source)
            (current.status.problem, current.status.hasFailed) = (error, true)
            desk.show(current)
        }
        if let panel { desk.perform(desk.model.toggle(panel)) }
        for key in keys { desk.send(.terminal(.input(.key(key)))) }
        return desk
    }

    /// Of a document on one line, so that the places in it are short.
    private func configuration(_ json: String, after former: ConfigState.Snapshot?) throws -> ConfigState.Snapshot {
        try Demo.configuration(EntryValue(text: json).canonicalJSON, after: former, source: source)
    }
}

/// The program over values in memory: its tweaks are real, and other work is ignored.
struct CatalogDesk {
    fileprivate(set) var model: DemoModel
    private let repository: TweakRepository
    private let config: DemoConfig
    private let checks: [String: SourceCheck]

    fileprivate init(
        _ first: ConfigState.Snapshot,
        tweaks: [String: EntryValue],
        checks: [String: SourceCheck],
        size: Size,
        depth: ColorDepth
    ) {
        repository = TweakRepository(store: MemoryStore(tweaks))
        config = DemoConfig(state: ConfigState(first), tweaks: repository)
        self.checks = checks
        var state = config.state(of: first)
        state.time = Demo.noon
        model = DemoModel(size: size, look: .test(depth), state: state)
        _ = model.begin(with: first.status.source, after: nil)
    }

    fileprivate mutating func show(_ current: ConfigState.Snapshot) { send(.changed(state(of: current))) }

    private func state(of current: ConfigState.Snapshot) -> DemoState {
        var state = config.state(of: current)
        state.time = Demo.noon
        return state
    }

    /// Sends a message, and carries out what it leads to within the screen.
    mutating func send(_ message: DemoModel.Message) { perform(model.update(message)) }

    fileprivate mutating func perform(_ effects: [DemoModel.Effect]) {
        for effect in effects {
            switch effect {
            case .tweak(let command):
                send(.tweaked(repository.perform(command), state(of: model.state.configuration)))
            case .work: send(.working)
            case .listSources: send(.recentSources(checks.keys.sorted()))
            case .check(let names):
                for name in names { if let check = checks[name] { send(.checked(name, check)) } }
            default: break
            }
        }
    }
}

extension CatalogScreen {
    /// - Parameters:
    ///   - changes: the contents that the source has after ``Demo/pink``.
    ///   - keys: the names of keys, or texts in braces that are typed.
    private init(
        _ name: String,
        _ panel: PanelKind? = nil,
        after changes: [String] = [],
        source: String = "config.json",
        problem: String? = nil,
        tweaks: [String: EntryValue] = [:],
        checks: [String: SourceCheck] = [:],
        keys: String = ""
    ) {
        (self.name, self.panel, documents) = (name, panel, [Demo.pink] + changes)
        (self.source, self.problem, self.tweaks, self.checks) = (source, problem, tweaks, checks)
        self.keys = keys.split(separator: " ").flatMap { Key.named(String($0)) }
    }

    /// The editor of a tweak, after some keys.
    private init(_ name: String, editing tweak: String, keys: String = "") {
        self.init(name, .tweaks, keys: "/ {\(tweak)} Enter Enter \(keys)")
    }

    /// The list of sources of a server.
    private init(_ name: String, ofSources keys: String) {
        let namespaces = [("default", 4), ("old", 0), ("shop", 12)].map { name, count in
            ServerInfo.Namespace(name: name, revision: 1, count: count)
        }
        let server = "http://127.0.0.1:3000"
        let checks = [
            server: SourceCheck(.live, "2 keys", namespaces: namespaces),
            "http://10.0.0.7:3000/v1/shop": SourceCheck(.refused, "the server requires a token"),
            "https://example.org/config.json": SourceCheck(.offline, "cannot connect to example.org:443"),
            "config.json": SourceCheck(.missing, "the file does not exist"),
        ]
        self.init(name, .sources(.follow), source: server, checks: checks, keys: keys)
    }

    static let all = main + lists + inspector + tweaks + editors
    private static let blue = [Demo.document(color: "#87CEFA")]
    private static let bad = [Demo.document(color: "pink", url: "nowhere")]
    private static let longPath = "/srv/configurations/of/this/machine/config.json"

    private static let main = [
        CatalogScreen("main"), CatalogScreen("main-problem", source: longPath, problem: "no such file"),
        CatalogScreen("main-outdated", after: [Demo.document(minimumVersion: "2.0.0")]),
        CatalogScreen("main-tweaked", tweaks: ["default/app.background.color": "#87CEFA"]),
        CatalogScreen("main-feedback", keys: "F12"),
        CatalogScreen(
            "main-news",
            after: ["#1E1E2E", "#87CEFA"].map { "{\"app.background.color\": \"\($0)\"}" }
        ),
    ]

    private static let lists = [
        CatalogScreen("help", .help), CatalogScreen("help-end", .help, keys: "PageDown PageDown PageDown"),
        CatalogScreen("help-tweaks", .tweaks, keys: "?"), CatalogScreen("help-inspector", .inspector, keys: "?"),
        CatalogScreen("log", .log, after: blue, source: longPath, problem: "no such file"),
        CatalogScreen("log-feedback", .log, after: blue, keys: "F12"),
        CatalogScreen("problems", .problems, after: bad, source: longPath, problem: "no such file"),
    ]

    private static let inspector = [
        CatalogScreen("inspector", .inspector), CatalogScreen("inspector-filter", .inspector, keys: "/ {fun}"),
        CatalogScreen("inspector-nothing", .inspector, keys: "/ @"),
        CatalogScreen("inspector-change", .inspector, after: blue),
        CatalogScreen("inspector-problem", .inspector, after: bad),
        CatalogScreen("inspector-key", .inspector, after: blue, keys: "Enter"),
        CatalogScreen("inspector-folded", .inspector, keys: "j f"),
        CatalogScreen("inspector-sorted", .inspector, after: blue, keys: "o"),
        CatalogScreen("palette", .inspector, keys: ":"), CatalogScreen("palette-filter", keys: ": {app}"),
        CatalogScreen("sources", ofSources: ""), CatalogScreen("sources-typed", ofSources: "{shpo}"),
    ]

    private static let tweaks = [
        CatalogScreen("tweaks", .tweaks), CatalogScreen("tweaks-rows", .tweaks, keys: "j Enter Space j j"),
        CatalogScreen("tweaks-search", .tweaks, keys: "/ {col}"),
        CatalogScreen("tweaks-nothing", .tweaks, keys: "/ @"), CatalogScreen("tweaks-question", .tweaks, keys: "X"),
        CatalogScreen("tweaks-question-category", .tweaks, keys: "j Z"),
    ]

    private static let editors = [
        CatalogScreen("editor-toggle", editing: "showcase.toggle"),
        CatalogScreen("editor-segmented", editing: "showcase.segmented", keys: "Right"),
        CatalogScreen("editor-stepper", editing: "showcase.stepper", keys: "Up"),
        CatalogScreen("editor-mistake", editing: "showcase.stepper", keys: "9 9"),
        CatalogScreen("editor-slider", editing: "showcase.slider", keys: "L"),
        CatalogScreen("editor-text", editing: "showcase.text", keys: "Left Left"),
        CatalogScreen("editor-color", editing: "showcase.color", keys: "Tab Right"),
        CatalogScreen("editor-color-slider", editing: "showcase.color", keys: "Tab Tab Right"),
        CatalogScreen("editor-options", editing: "showcase.mood", keys: "Down Enter"),
        CatalogScreen("editor-options-custom", editing: "showcase.speed", keys: "Down Down 5"),
        CatalogScreen("editor-optional", editing: "showcase.nickname", keys: "Space Down {To}"),
        CatalogScreen("editor-array", editing: "showcase.tags", keys: "Down"),
        CatalogScreen("editor-array-element", editing: "showcase.tags", keys: "a x"),
        CatalogScreen("editor-menu", editing: "showcase.menu"),
        CatalogScreen("editor-object", editing: "showcase.menu", keys: "Enter Down"),
        CatalogScreen("editor-object-field", editing: "showcase.menu", keys: "Enter Enter !"),
        CatalogScreen("editor-custom", editing: "showcase.rating", keys: "Right"),
        CatalogScreen("editor-background", editing: "background"),
    ]
}

/// The look of a screen: a number of colours, and a background.
struct CatalogLook: Hashable, Sendable {
    let depth: ColorDepth
    let background: RGBColor

    /// The model as it is in this look.
    func applied(to model: DemoModel) -> DemoModel {
        var (model, state) = (model, model.state)
        model.main.look.colors = ColorMatcher(depth: depth)
        state.values.background = background
        _ = model.update(.changed(state))
        return model
    }

    func theme(of model: DemoModel) -> Theme { model.main.theme }
}
