// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI
import Testing

@testable import LiveryScreens

/// A screen of the program, and how one gets there. What is listed here is drawn by every test of all screens.
struct CatalogScreen: Sendable, CustomTestStringConvertible {
    let name: String
    let open: @MainActor @Sendable (TweakDesk) throws -> Void

    var testDescription: String { name }

    /// The program with this screen open.
    @MainActor
    func model(columns: Int, rows: Int) throws -> DemoModel {
        let desk = try TweakDesk(columns: columns, rows: rows)
        try open(desk)
        return desk.model
    }
}

extension CatalogScreen {
    /// A screen that one gets to by keys alone.
    private init(_ name: String, _ keys: String...) {
        self.init(name: name) { desk in
            for key in keys { desk.press(key) }
        }
    }

    /// The editor of a tweak, after some keys.
    private init(_ name: String, editing tweak: String, _ keys: String...) {
        self.init(name: name) { desk in
            desk.open(tweak)
            for key in keys { desk.press(key) }
        }
    }

    static let all = main + overlays + lists + editors

    private static let main = [
        CatalogScreen("main"),
        CatalogScreen(name: "main-problem") { $0.model.fail(problem) },
        CatalogScreen(name: "main-outdated") { try $0.model.read(Demo.document(minimumVersion: "2.0.0")) },
        CatalogScreen(name: "main-tweaked") { desk in
            desk.open("Background")
            desk.press("Ctrl-U")
            desk.type("#87CEFA")
            desk.press("Esc", "Esc", "Esc")
        },
        CatalogScreen("main-feedback", "F12"),
        CatalogScreen(name: "main-news") { desk in
            for color in ["#1E1E2E", "#FFFFFF", "#87CEFA"] { try desk.model.read(Demo.document(color: color)) }
        },
    ]

    private static let overlays = [
        CatalogScreen("help", "?"), CatalogScreen("help-end", "?", "PageDown", "PageDown", "PageDown"),
        CatalogScreen("help-tweaks", "t", "?"), CatalogScreen("help-inspector", "i", "?"),
        CatalogScreen(name: "log") { desk in
            try desk.model.read(Demo.document(color: "#87CEFA"))
            desk.model.fail(problem)
            desk.press("l")
        },
        CatalogScreen("inspector", "i"), CatalogScreen("inspector-filter", "i", "/", "f", "u", "n"),
        CatalogScreen("inspector-nothing", "i", "/", "@"),
        CatalogScreen(name: "inspector-change") { desk in
            desk.press("i")
            try desk.model.read(Demo.document(color: "#87CEFA"))
        },
        CatalogScreen(name: "inspector-key") { desk in
            desk.press("i")
            try desk.model.read(Demo.document(color: "#87CEFA"))
            desk.press("Enter")
        },
        CatalogScreen(name: "inspector-problem") { desk in
            try desk.model.read(Demo.document(color: "pink", url: "nowhere"))
            desk.press("i")
        },
        CatalogScreen(name: "problems") { desk in
            try desk.model.read(Demo.document(color: "pink", url: "nowhere"))
            desk.model.fail(problem)
            desk.press("e")
        },
    ]

    private static let lists = [
        CatalogScreen("tweaks", "t"), CatalogScreen("tweaks-rows", "t", "j", "Enter", "Space", "j", "j"),
        CatalogScreen("tweaks-search", "t", "/", "c", "o", "l"), CatalogScreen("tweaks-nothing", "t", "/", "@"),
        CatalogScreen("tweaks-question", "t", "X"), CatalogScreen("tweaks-question-category", "t", "j", "Z"),
    ]

    private static let editors = [
        CatalogScreen("editor-toggle", editing: "showcase.toggle"),
        CatalogScreen("editor-segmented", editing: "showcase.segmented", "Right"),
        CatalogScreen("editor-stepper", editing: "showcase.stepper", "Up"),
        CatalogScreen("editor-mistake", editing: "showcase.stepper", "9", "9"),
        CatalogScreen("editor-slider", editing: "showcase.slider", "L"),
        CatalogScreen("editor-text", editing: "showcase.text", "Left", "Left"),
        CatalogScreen("editor-color", editing: "showcase.color", "Tab", "Right"),
        CatalogScreen("editor-color-slider", editing: "showcase.color", "Tab", "Tab", "Right"),
        CatalogScreen("editor-options", editing: "showcase.mood", "Down", "Enter"),
        CatalogScreen("editor-options-custom", editing: "showcase.speed", "Down", "Down", "5"),
        CatalogScreen("editor-optional", editing: "showcase.nickname", "Space", "Down", "T", "o"),
        CatalogScreen("editor-array", editing: "showcase.tags", "Down"),
        CatalogScreen("editor-array-element", editing: "showcase.tags", "a", "x"),
        CatalogScreen("editor-menu", editing: "showcase.menu"),
        CatalogScreen("editor-object", editing: "showcase.menu", "Enter", "Down"),
        CatalogScreen("editor-object-field", editing: "showcase.menu", "Enter", "Enter", "!"),
        CatalogScreen("editor-custom", editing: "showcase.rating", "Right"),
        CatalogScreen("editor-background", editing: "background"),
    ]

    private static var problem: ConfigError {
        var problem = ConfigError(
            .syntax,
            "expected a value, found '}'",
            source: "/srv/configurations/of/this/machine/production/config.json",
            location: TextLocation(line: 3, column: 9)
        )
        problem.excerpt = ConfigError.Excerpt(#"  "b": }"#, offset: 7)
        return problem
    }
}

/// What a screen is shown in: so many colours, and a background.
struct ScreenLook: Hashable, Sendable {
    let depth: ColorDepth
    let background: RGBColor

    /// The model as it is in this look.
    func applied(to model: DemoModel) -> DemoModel {
        var model = model
        model.colors = ColorMatcher(depth: depth)
        model.state.values.background = background
        if model.inspector != nil { model.updatePanels() }
        return model
    }

    func theme(of model: DemoModel) -> Theme { Theme(background: model.background, colors: model.colors) }
}
