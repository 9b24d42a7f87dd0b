// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI
import Testing

@testable import LiveryScreens

struct DemoUpdateTests {
    @Test func enterOpensTheURL() throws {
        var model = try Demo.model()
        let url = try #require(WebAddress("https://example.org/cats"))
        #expect(model.press("Enter") == [.open(url)])
        model.press("?")
        #expect(model.press("Enter") == [])
    }

    @Test(arguments: ["x", "Tab", "F2", "Alt-q", "Shift-Up"])
    func otherKeysAreReportedAndDoNothing(name: String) throws {
        var model = try Demo.model()
        let before = model.lines
        #expect(model.press(name) == [])
        let changed = zip(before, model.lines).filter { $0 != $1 }.map(\.1)
        #expect(changed.count == 1)
        #expect(changed.first?.contains("\(name) is not bound here; ? shows the keys") == true)
    }

    @Test func theTerminalCanEndTheProgram() throws {
        var model = try Demo.model()
        #expect(model.update(.terminal(.signal(15))) == [.quit(signal: 15)])
        #expect(model.update(.terminal(.hangUp)) == [.quit(signal: nil)])
    }

    @Test func pastedTextIsNoKeys() throws {
        var model = try Demo.model()
        #expect(model.update(.terminal(.input(.paste("q\r")))) == [])
        #expect(model.update(.terminal(.input(.reply(.operatingSystemCommand("q"))))) == [])
    }

    @Test(arguments: [
        (RefreshOutcome.unchanged, "Refreshed: no changes"),
        (.changed(keys: ["a.b", "c"]), "Refreshed: a.b, c"),
        (.failed(ConfigError(.notFound, "the file does not exist")), "Refresh failed: the file does not exist"),
    ])
    func refreshOutcomeIsShown(outcome: RefreshOutcome, text: String) throws {
        var model = try Demo.model()
        #expect(model.update(.refreshed(outcome)) == [])
        #expect(model.lines[21].contains(" \(text)  "))
        #expect(!model.statusLine.contains(text))
        model.resize(60, 5)
        #expect(model.statusLine.contains("  \(text)  "))
    }

    @Test func openOutcomeIsShown() throws {
        var model = try Demo.model()
        let url = try #require(WebAddress("https://example.org/cats"))
        _ = model.update(.opened(.opened(url, program: "firefox")))
        #expect(model.lines[21].contains("Opened https://example.org/cats with firefox"))
        #expect(model.exitLines == [])
        _ = model.update(.opened(.failed(url, reason: "lynx is not installed")))
        #expect(model.lines[21].contains("Cannot open the URL: lynx is not installed; it is printed on exit"))
        _ = model.update(.opened(.noBrowser(url)))
        let text = "No browser found; the URL is printed on exit: https://example.org/cats"
        #expect(model.activity.news?.text == text)
    }

    @Test func aURLThatWasNotOpenedIsPrintedOnceWhenLeaving() throws {
        var model = try Demo.model()
        let urls = try ["https://a.example", "https://b.example"].map { try #require(WebAddress($0)) }
        for url in urls + urls {
            _ = model.update(.opened(.noBrowser(url)))
            _ = model.update(.opened(.failed(url, reason: "no")))
        }
        #expect(model.exitLines == ["https://a.example", "https://b.example"])
    }
}

struct DemoMouseTests {
    @Test func aClickOnTheButtonOpensTheURLAndElsewhereNothing() throws {
        let fresh = try Demo.model()
        let button = fresh.main.layout.button
        for column in 0..<80 {
            for row in 0..<24 {
                var model = fresh
                let isOpened = model.mouse(.press(button: 0), column, row) == [.open(model.values.buttonURL)]
                #expect(isOpened == button.contains(Point(column: column, row: row)), "\(column), \(row)")
            }
        }
        var model = fresh
        #expect(model.mouse(.press(button: 0), .max, .max) == [])
    }

    @Test func theButtonIsNotClickedThroughAnOverlay() throws {
        var model = try Demo.model()
        model.press("!")
        #expect(model.overlayFrame.contains(Point(column: 40, row: 11)))
        #expect(model.mouse(.press(button: 0), 40, 11) == [])
        #expect(model.overlay == .problems)
    }
}
