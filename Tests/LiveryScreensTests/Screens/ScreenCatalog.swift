// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI
import Testing

@testable import LiveryScreens

/// A screen of the program, drawn from a fixture. What is listed here is drawn by every test of all screens.
struct CatalogScreen: Sendable, CustomTestStringConvertible {
    let name: String
    private let screen: ScreenName
    private let json: String

    var testDescription: String { name }

    /// The program with this screen open.
    func model(columns: Int, rows: Int) throws -> DemoModel { try desk(columns: columns, rows: rows).model }

    /// The program with this screen open, to send more events to.
    func desk(columns: Int, rows: Int) throws -> FixtureDesk {
        let look = ScreenLook.fixture(ColorMatcher(depth: .indexed256))
        return try fixture.desk(of: screen, size: Size(columns: columns, rows: rows), look: look)
    }

    /// The frame in a number of colours, and the styles of its page.
    func frame(_ size: Size, _ depth: ColorDepth) throws -> CatalogPanel.Frame {
        let colors = ColorMatcher(depth: depth)
        let model = try fixture.model(of: screen, size: size, look: .fixture(colors))
        return (try fixture.frame(of: screen, size: size, colors: colors), model.main.theme)
    }

    private var fixture: ScreenFixture {
        get throws { try ScreenFixture(json: Array(json.utf8), source: name) }
    }
}

extension CatalogScreen {
    /// - Parameters:
    ///   - members: members of the fixture, beside the members that all screens share.
    ///   - keys: the names of keys, or texts in braces that are typed.
    private init(_ name: String, _ screen: ScreenName = .main, _ members: String = "", keys: String = "") {
        (self.name, self.screen) = (name, screen)
        let keys = keys.split(separator: " ").map { key in
            key.hasPrefix("{") ? "{\"type\": \"\(key.dropFirst().dropLast())\"}" : "\"\(key)\""
        }
        json = """
            {"time": "2026-11-20T12:03:44Z", "values": \(Demo.pink), \(members) "keys": [\(keys.joined(separator: ", "))]}
            """
    }

    /// The editor of a tweak, after some keys.
    private init(_ name: String, editing tweak: String, keys: String = "") {
        self.init(name, .tweaks, keys: "/ {\(tweak)} Enter Enter \(keys)")
    }

    /// Several programs on one screen, which handle no events.
    static let wall = CatalogScreen("wall", .wall, #""clients": 4,"#)

    static let all = main + lists + inspector + tweaks + editors

    private static let blue = #""changes": [\#(Demo.document(color: "#87CEFA"))],"#
    private static let bad = #""changes": [\#(Demo.document(color: "pink", url: "nowhere"))],"#
    private static let problem =
        #""source": "/srv/configurations/of/this/machine/config.json", "problem": "no such file","#

    private static let sources = #"""
        "source": "http://127.0.0.1:3000", "sources": {
            "http://127.0.0.1:3000": {"state": "live", "detail": "2 keys", "namespaces": {"default": 4, "old": 0, "shop": 12}},
            "http://10.0.0.7:3000/v1/shop": {"state": "refused", "detail": "the server requires a token"},
            "https://example.org/config.json": {"state": "offline", "detail": "cannot connect to example.org:443"},
            "config.json": {"state": "missing", "detail": "the file does not exist"}
        },
        """#

    private static let main = [
        CatalogScreen("main"), CatalogScreen("main-problem", .main, problem),
        CatalogScreen("main-outdated", .main, #""changes": [\#(Demo.document(minimumVersion: "2.0.0"))],"#),
        CatalogScreen("main-tweaked", .main, ##""tweaks": {"app.background.color": "#87CEFA"},"##),
        CatalogScreen("main-feedback", keys: "F12"),
        CatalogScreen(
            "main-news",
            .main,
            ##""changes": [{"app.background.color": "#1E1E2E"}, {"app.background.color": "#87CEFA"}],"##
        ),
    ]

    private static let lists = [
        CatalogScreen("help", .help), CatalogScreen("help-end", .help, keys: "PageDown PageDown PageDown"),
        CatalogScreen("help-tweaks", .tweaks, keys: "?"), CatalogScreen("help-inspector", .inspector, keys: "?"),
        CatalogScreen("log", .log, blue + problem), CatalogScreen("log-feedback", .log, blue, keys: "F12"),
        CatalogScreen("problems", .errors, bad + problem),
    ]

    private static let inspector = [
        CatalogScreen("inspector", .inspector), CatalogScreen("inspector-filter", .inspector, keys: "/ {fun}"),
        CatalogScreen("inspector-nothing", .inspector, keys: "/ @"),
        CatalogScreen("inspector-change", .inspector, blue), CatalogScreen("inspector-problem", .inspector, bad),
        CatalogScreen("inspector-key", .inspector, blue, keys: "Enter"),
        CatalogScreen("inspector-folded", .inspector, keys: "j f"),
        CatalogScreen("inspector-sorted", .inspector, blue, keys: "o"),
        CatalogScreen("palette", .inspector, keys: ":"), CatalogScreen("palette-filter", keys: ": {app}"),
        CatalogScreen("sources", .sources, sources), CatalogScreen("sources-typed", .sources, sources, keys: "{shpo}"),
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
