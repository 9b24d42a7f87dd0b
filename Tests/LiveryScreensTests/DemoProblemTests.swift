// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI
import TestSupport
import Testing

@testable import LiveryScreens

struct DemoProblemTests {
    private static let wide = Size(columns: 160, rows: 24)

    @Test(arguments: [
        (
            ##"{"app.background.color": "pink"}"##,
            ##"config.json:1:26: app.background.color: "pink" is not a colour such as #FFB6C1"##
        ),
        (
            "{\n  \"app.background.color\": 7}",
            "config.json:2:27: app.background.color: a number is not a colour such as #FFB6C1"
        ),
        (
            #"{"app.fun_button.text": ["a"]}"#,
            "config.json:1:25: app.fun_button.text: an array of strings is not a string"
        ),
        (
            #"{"app.fun_button.url": "javascript:alert(1)"}"#,
            #"config.json:1:24: app.fun_button.url: "javascript:alert(1)" is not a URL such as https://example.org"#
        ),
    ])
    func aValueThatCannotBeUsedIsNamedWithItsPlace(json: String, message: String) throws {
        let model = try Demo.model(json, size: Self.wide)
        #expect(model.statusLine.hasPrefix(" ✖ error  \(message)"))
    }

    @Test func sourceProblemComesFirst() throws {
        var model = try Demo.model(Demo.document(color: "pink", url: "nowhere"), size: Self.wide)
        #expect(model.statusLine.contains("such as #FFB6C1  and 1 more  "))
        let place = TextLocation(line: 3, column: 9)
        model.fail(ConfigError(.syntax, "there is a '}' too many", source: "config.json", location: place))
        #expect(model.statusLine.hasPrefix(" ✖ error  config.json:3:9: there is a '}' too many  and 2 more  "))
    }

    /// The issue's own case: a long path, 80 columns, three problems.
    @Test func everyProblemCanBeReadInFull() throws {
        let path = "/srv/configurations/of/this/machine/production/configuration/config.json"
        var model = try Demo.model(Demo.document(color: "pink", url: "nowhere"))
        let error = ConfigError(
            .syntax,
            "expected a value, found '}'",
            source: path,
            location: TextLocation(line: 3, column: 9)
        )
        var problem = error
        problem.excerpt = ConfigError.Excerpt(#"  "b": }"#, offset: 7)
        model.fail(problem)
        #expect(model.statusLine.hasPrefix(" ✖ error  config.json:3:9: expected a value, fou…  and 2 more  ! Errors"))
        model.press("!")
        let text = model.overlayLines.joined(separator: "\n")
        #expect(text.replacing("\n", with: "").contains("\(path):3:9:"), "\(text)")
        for line in [#"    "b": }"#, "         ^", "still using the last good values", "using the default #000000"] {
            #expect(model.overlayLines.contains(line), "\(line) in \(text)")
        }
        #expect(model.overlayLines.contains(#"  "app.background.color": "pink""#))
        #expect(model.overlayLines.contains("                          ^"))
        #expect(model.lines.contains { $0.contains("╭─ Errors ─") })
        try model.read(Demo.pink)
        #expect(model.overlayLines == ["No errors."])
    }

    @Test(arguments: [("config.json", "config.json"), ("my config's.json", #"'my config'\''s.json'"#)])
    func aMissingFileIsCreatedByTheCommandOnTheScreen(path: String, word: String) async throws {
        let folder = try TemporaryDirectory()
        let source = FileSource(path: folder[path])
        var model = try Demo.model("{}", size: Size(columns: 160, rows: 24))
        var missing = try #require(
            await #expect(throws: ConfigError.self) {
                try await source.read(after: SourcePosition())
            }
        )
        missing.source = path
        model.fail(missing, phase: .offline)
        let command = ##"echo '{"app.background.color": "#87CEFA"}' > "## + word
        #expect(model.lines.contains { $0.contains("\(path) does not exist. To create it, run:") })
        #expect(model.lines.contains { $0.contains(command) })
        model.press("!")
        #expect(model.overlayLines.contains { $0.contains(command) })
        try model.read(Demo.document(color: "pink", url: "nowhere"))
        model.fail(missing, phase: .offline)
        #expect(model.overlayLines.contains { $0.contains("such as #FFB6C1") })
        #expect(model.overlayLines.count { $0.contains(command) } == 1)
        model.fail(ConfigError(.notFound, "the server has no such document", source: "default"), phase: .offline)
        #expect(!model.overlayLines.joined().contains("echo"))
    }

    @Test func aMissingTokenIsStoredByTheCommandOnTheScreen() throws {
        var model = try Demo.model("{}", size: Size(columns: 160, rows: 24))
        model.fail(ConfigError(.unauthorized, "a token is required", source: "http://config.test:3000/v1/shop"))
        #expect(model.lines.contains { $0.contains("livery login --server http://config.test:3000/v1/shop") })
    }

    @Test func aKeyThatIsLeftOutDoesNotMeanThatOldValuesAreShown() throws {
        var model = try Demo.model(Demo.document(color: "#112233"))
        model.fail(ConfigError(.unsupportedValue, "null is not a value", key: "note"), ofPart: true)
        model.press("!")
        #expect(model.overlayLines == ["note: null is not a value", "all other values are up to date"])
    }

    @Test func aClickOnTheErrorShowsAllOfIt() throws {
        var model = try Demo.model(Demo.document(color: "pink"))
        _ = model.mouse(.press(button: 0), 12, 23)
        #expect(model.overlay == .problems)
        model.press("Esc")
        _ = model.mouse(.press(button: 0), 2, 23)
        #expect(model.overlay == .problems, "on the state as well")
    }

    @Test func theLastGoodValueOfEachKeyStaysAndTheOthersChange() throws {
        var model = try Demo.model()
        try model.read(Demo.document(color: "pink", text: "New", url: "https://example.org/new"))
        #expect(model.values.background == RGBColor(0xFFB6C1))
        #expect(model.values.buttonText == "New")
        #expect(model.values.buttonURL.text == "https://example.org/new")
        #expect(model.view().base.background == .indexed(217))

        try model.read(Demo.document(color: "#0000FF", text: "Newer", url: "nowhere"))
        #expect(model.values.background == RGBColor(0x0000FF))
        #expect(model.values.buttonURL.text == "https://example.org/new")
        #expect(model.problems.map(\.key) == ["app.fun_button.url"])
    }

    /// The bottom row of a small screen is the only one for both.
    @Test func newsDoesNotHideErrors() throws {
        var model = try Demo.model(size: Size(columns: 60, rows: 5))
        _ = model.update(.refreshed(.unchanged))
        #expect(model.statusLine.contains("Refreshed: no changes"))
        model.fail(ConfigError(.notFound, "gone", source: "config.json"), phase: .offline)
        #expect(model.statusLine.hasPrefix(" ✖ missing  config.json: gone  Refreshed: no chang"))
        model.resize(30, 5)
        #expect(model.statusLine == " ✖ missing  config.j…  ? Help ")
    }
}
