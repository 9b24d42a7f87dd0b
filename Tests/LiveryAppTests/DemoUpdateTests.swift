import ConfigModel
import RemoteConfig
import TerminalUI
import Testing

@testable import LiveryApp

struct DemoUpdateTests {
    @Test func enterOpensTheURL() throws {
        var model = try Demo.model()
        let url = try #require(WebAddress("https://example.org/cats"))
        #expect(model.press("Enter") == [.open(url)])
        model.press("?")
        #expect(model.press("Enter") == [])
    }

    @Test func aRefreshIsAskedForAndAnnounced() throws {
        var model = try Demo.model()
        #expect(model.press("r") == [.refresh])
        #expect(model.feedback == "Reading config.json …")
    }

    @Test(arguments: ["q", "Ctrl-C", "Esc"])
    func keysThatLeaveLeave(name: String) throws {
        var model = try Demo.model()
        #expect(model.press(name) == [.quit(signal: nil)])
    }

    @Test(arguments: ["x", "Tab", "F1", "Alt-q", "Shift-Up"])
    func otherKeysDoNothing(name: String) throws {
        var model = try Demo.model()
        let before = model.view()
        #expect(model.press(name) == [])
        #expect(model.view() == before)
    }

    @Test func theTerminalCanEndTheProgram() throws {
        var model = try Demo.model()
        #expect(model.update(.terminal(.signal(15))) == [.quit(signal: 15)])
        #expect(model.update(.terminal(.hangUp)) == [.quit(signal: nil)])
    }

    @Test func pastedTextIsNoKeys() throws {
        var model = try Demo.model()
        #expect(model.update(.terminal(.input(.paste("q\r")))) == [])
        #expect(model.update(.terminal(.input(.reply(.deviceControl("q"))))) == [])
    }

    @Test(arguments: [
        (RefreshOutcome.unchanged, "Refreshed: nothing new"),
        (.changed(keys: ["a.b", "c"]), "Refreshed: a.b, c"),
        (.failed(ConfigError(.notFound, "the file does not exist")), "Not refreshed: the file does not exist"),
    ])
    func whatARefreshBroughtIsSaid(outcome: RefreshOutcome, text: String) throws {
        var model = try Demo.model()
        #expect(model.update(.refreshed(outcome)) == [])
        #expect(model.lines[22].contains("  \(text)  "))
        #expect(!model.statusLine.contains(text))
        model.resize(60, 5)
        #expect(model.statusLine.contains("  \(text)  "))
    }

    @Test func whatBecameOfTheURLIsSaid() throws {
        var model = try Demo.model()
        let url = try #require(WebAddress("https://example.org/cats"))
        _ = model.update(.opened(.opened(url, program: "firefox")))
        #expect(model.lines[22].contains("Opened https://example.org/cats with firefox"))
        #expect(model.parting == [])
        _ = model.update(.opened(.failed(url, reason: "lynx is not installed")))
        #expect(model.lines[22].contains("Not opened: lynx is not installed; the URL is printed when you leave"))
        _ = model.update(.opened(.noBrowser(url)))
        #expect(model.feedback == "No browser here; the URL is printed when you leave: https://example.org/cats")
    }

    @Test func aURLThatWasNotOpenedIsPrintedOnceWhenLeaving() throws {
        var model = try Demo.model()
        let urls = try ["https://a.example", "https://b.example"].map { try #require(WebAddress($0)) }
        for url in urls + urls {
            _ = model.update(.opened(.noBrowser(url)))
            _ = model.update(.opened(.failed(url, reason: "no")))
        }
        #expect(model.parting == ["https://a.example", "https://b.example"])
    }

    @Test func aNewConfigurationIsShownAtOnce() throws {
        var model = try Demo.model()
        try model.read(Demo.document(color: "#0000FF", text: "Blue"))
        #expect(model.view().base.background == .indexed(21))
        #expect(model.lines[11].contains("Blue"))
    }
}
