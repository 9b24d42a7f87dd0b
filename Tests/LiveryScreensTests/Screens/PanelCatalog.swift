// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigWire
import TerminalUI
import Testing

@testable import LiveryScreens

/// A panel of the program as users see it, drawn at any size in any number of colours. Each panel is listed once.
struct CatalogPanel: Sendable, CustomTestStringConvertible {
    /// A picture, and the styles of its page.
    typealias Frame = (grid: Grid, theme: Theme)

    let name: String
    private let draw: @Sendable (Size, ColorDepth) async throws -> Frame

    var testDescription: String { name }
    var goldenName: String { "panel-" + name }

    func frame(_ size: Size, _ depth: ColorDepth) async throws -> Frame { try await draw(size, depth) }
}

extension CatalogPanel {
    private init(_ name: String, of screen: String) {
        self.init(name: name) { size, depth in
            try #require(CatalogScreen.all.first(where: { $0.name == screen })).frame(size, depth)
        }
    }

    /// A panel over a source in memory.
    ///
    /// - Parameters:
    ///   - keys: the names of the keys that lead to it.
    ///   - change: another operator's change of a key, before the last of these keys.
    private init(_ name: String, keys: String, after change: KeyChange? = nil) {
        self.init(name: name) { size, depth in
            var desk = try Self.desk(size, depth)
            let keys = keys.split(separator: " ").map(String.init)
            for key in keys.dropLast() { try await desk.press(key) }
            if let change { desk.source.write(ConfigDiff([change]), by: "eve", message: "meanwhile") }
            if let key = keys.last { try await desk.press(key) }
            return (desk.model.view(), desk.model.main.theme)
        }
    }

    private static func desk(_ size: Size, _ depth: ColorDepth) throws -> EditDesk {
        var desk = try EditDesk(contents, columns: size.columns, rows: size.rows, depth: depth)
        desk.directory = OtherSource(other).directory
        let limit = KeyChange(key: "app.limit", old: 20, new: 30)
        desk.source.write(ConfigDiff([limit]), by: "ann", message: "raise the limit")
        let color = KeyChange(key: "app.background.color", old: "#FFB6C1", new: "#87CEFA")
        desk.source.write(ConfigDiff([color]), by: "bob")
        desk.source.change { state in
            state.drafts = [.test(), .test(hasConflict: false)]
            state.drafts[1].summary.id = "p7q8r9st"
            (state.drafts[1].summary.title, state.drafts[1].summary.author) = ("Lower the limit", "ann")
        }
        return desk
    }

    private static let menu: EntryValue = ["title": "Home", "colors": ["#FF0000", "#00FF00"], "items": 3]

    private static let contents = NamespaceContents(
        values: [
            "app.background.color": "#FFB6C1", "app.fun_button.text": "Meow! 😸", "app.limit": 20, "app.menu": menu,
            "app.on": true,
        ],
        schemas: ["app.limit": ["type": "integer", "title": "Limit", "minimum": 1, "maximum": 100]],
        rules: ["app.background.color": rule(blue: 25)]
    )

    private static let other = NamespaceContents(
        values: ["app.background.color": "#0000FF", "app.limit": 20, "app.menu": menu, "app.new": ["one", "two"]],
        rules: ["app.background.color": rule(blue: 50)]
    )

    private static func rule(blue: Int) -> EntryValue {
        let shares: EntryValue = [["blue", .integer(blue)], ["pink", .integer(100 - blue)]]
        return [
            "variants": ["blue": "#0000FF", "pink": "#FFB6C1"], "defaultVariant": "pink",
            "targeting": ["fractional": shares], "bucketing": "flagd-3",
        ]
    }
}

extension CatalogPanel {
    private static let limit = "i / l i m i t Enter"

    static let all = screens + lists + edits

    private static let screens = [
        CatalogPanel("main", of: "main"), CatalogPanel("help", of: "help"), CatalogPanel("log", of: "log"),
        CatalogPanel("errors", of: "problems"), CatalogPanel("tweaks", of: "tweaks-rows"),
        CatalogPanel("sources", of: "sources"),
        CatalogPanel(name: "wall") { size, depth in
            let model = try Demo.model(size: size, depth: depth)
            var wall = WallModel(size: size, look: model.main.look, source: "config.json")
            let screens = (1...4).map { WallScreen(identity: WallIdentity(number: $0), state: model.state) }
            _ = wall.update(.changed(WallState(screens: screens)))
            return (wall.view(), model.main.theme)
        },
        CatalogPanel(name: "start") { size, depth in
            var model = try Demo.model("{}", size: size, depth: depth)
            model.fail(ConfigError(.unauthorized, "the server requires a token", source: "http://127.0.0.1:3000"))
            return (model.view(), model.main.theme)
        },
    ]

    private static let lists = [
        CatalogPanel("inspector", keys: "i"), CatalogPanel("key-value", keys: "i Enter"),
        CatalogPanel("key-schema", keys: limit + " Enter 2"), CatalogPanel("key-rule", keys: "i Enter 3"),
        CatalogPanel("key-history", keys: limit + " Enter 4"), CatalogPanel("key-json", keys: limit + " Enter 5"),
        CatalogPanel("palette", keys: "i :"), CatalogPanel("prompt", keys: "i Enter 3 w"),
    ]

    private static let edits = [
        CatalogPanel("history", keys: "h"), CatalogPanel("diff", keys: "h m j ="),
        CatalogPanel("edit-color", keys: "i e"), CatalogPanel("edit-number", keys: limit + " e Up"),
        CatalogPanel("edit-object", keys: "i / m e n u Enter e"), CatalogPanel("rollout", keys: "i R"),
        CatalogPanel("review", keys: limit + " e Up Enter"),
        CatalogPanel("conflict", keys: limit + " e Up Enter", after: KeyChange(key: "app.limit", old: 30, new: 40)),
        CatalogPanel("drafts", keys: "v"), CatalogPanel("draft", keys: "v j Enter"),
        CatalogPanel("question", keys: "i / a p p . o n Enter e Space q"), CatalogPanel("compare", keys: "C b . Enter"),
    ]
}
