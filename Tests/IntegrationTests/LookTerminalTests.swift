// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Foundation
import TestSupport
import Testing

/// What an operator does beyond editing, in the real program in tmux over a real server: at most eight presses each, beside texts.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct LookTerminalTests {
    private static let key = "app.background.color"

    private static func rule(_ targeting: EntryValue) -> EntryValue {
        [
            "variants": ["blue": "#0000FF", "green": "#00FF00", "pink": "#FFB6C1"], "defaultVariant": "pink",
            "targeting": targeting,
        ]
    }

    /// A terminal with the program.
    private final class Desk {
        let server: RunningServer
        let tmux: Tmux
        let folder: TemporaryDirectory
        private(set) var presses = 0

        init(_ requests: PublishRequest...) throws {
            (server, folder) = (try RunningServer(), try TemporaryDirectory())
            for request in requests { try server.publish(request) }
            tmux = try Tmux.withDemo([server.address], in: folder)
            try see("live ")
        }

        func press(_ keys: String..., until text: String? = nil) throws {
            presses += keys.count
            for key in keys { try tmux.sendKeys(key) }
            if let text { try see(text) }
        }

        func see(_ text: String) throws { try tmux.waitFor("\"\(text)\" on the screen") { $0.contains(text) } }

        func value() throws -> String { try server.ask("GET", "/v1/default/entries/\(LookTerminalTests.key)").text }
    }

    @Test func tenPercentBecomesTwentyFive() throws {
        let rule = Self.rule(["fractional": [["blue", 10], ["pink", 90]]])
        let desk = try Desk(PublishRequest(set: [Self.key: "#FFB6C1"], rules: [Self.key: rule]))
        try desk.press("i", until: "1 key")
        try desk.press("R", until: "90 %")
        try desk.tmux.type("25")
        try desk.see("75 %")
        try desk.press("Enter", until: "✔ Valid")
        try desk.press("C-s", until: "Published rule")
        let last = try desk.server.ask("GET", "/v1/default/history?limit=1").text
        #expect(last.contains("[\"blue\",25]") && last.contains("Roll out blue to 25 %"), "\(last)")
        #expect(desk.presses <= 8)
    }

    @Test func aKeyIsSetByAPartOfItsName() throws {
        let desk = try Desk(PublishRequest(set: [Self.key: "#FFB6C1", "shop.top_banner.text": "Old"]))
        try desk.press(":", until: "Actions and keys")
        try desk.tmux.type("banner")
        try desk.see("shop.top_banner.text")
        try desk.press("Enter", until: "\"Old\"")
        try desk.press("e", until: "Enter Review")
        try desk.press("C-u")
        try desk.tmux.type("New")
        try desk.press("Enter", until: "✔ Valid")
        try desk.press("C-s", until: "Published shop.top_banner.text as")
        #expect(try desk.server.ask("GET", "/v1/default/entries/shop.top_banner.text").text.contains("\"New\""))
        #expect(desk.presses <= 8)
    }

    /// The first run of an operator on a server without values.
    @Test func aFileIsImportedAfterItsDifference() throws {
        let desk = try Desk()
        try desk.folder.write(
            ##"{"app": {"background": {"color": "#87CEFA"}, "fun_button": {"text": "Hi"}}}"##,
            to: "shop.json"
        )
        try desk.see("1 Import a file")
        try desk.press("1", until: "Import a file")
        try desk.tmux.type("shop.json")
        try desk.press("Enter", until: "✔ Valid")
        try desk.see("#87CEFA")
        #expect(try desk.server.ask("GET", "/v1/default/entries/\(Self.key)").status == 404)
        try desk.press("C-s", until: "▸  Hi  ◂")
        #expect(try desk.value().contains("#87CEFA"))
        #expect(try desk.server.ask("GET", "/v1/default/history").text.contains("Import shop.json"))
        #expect(desk.presses <= 8)
    }

    @Test func oneKeyReturnsToAnEarlierValue() throws {
        let desk = try Desk(
            PublishRequest(set: [Self.key: "#FFB6C1", "other": 1], message: "first"),
            PublishRequest(set: [Self.key: "#0000FF", "other": 2], message: "second")
        )
        try desk.press("i", until: "2 keys")
        try desk.press("h", until: "first")
        try desk.press("j", "b", until: "y Restore")
        #expect(try desk.value().contains("#0000FF"))
        try desk.press("C-s", until: "as revision 3")
        #expect(try desk.value().contains("#FFB6C1"))
        #expect(try desk.server.ask("GET", "/v1/default/entries/other").text.contains("2"))
        #expect(desk.presses <= 8)
    }

    @Test func twoRevisionsAreCompared() throws {
        let desk = try Desk(
            PublishRequest(set: ["limit": 1], message: "first"),
            PublishRequest(set: ["limit": 2], message: "second"),
            PublishRequest(set: ["limit": 3], message: "third")
        )
        try desk.press("h", until: "first")
        try desk.press("m", "j", "j", "=", until: "1 → 3")
        #expect(desk.presses <= 8)
    }

    @Test func theReasonForAUsersValueIsFound() throws {
        let targeting: EntryValue = ["if": [["==": [["var": "targetingKey"], "42"]], "green"]]
        let desk = try Desk(PublishRequest(set: [Self.key: "#FFB6C1"], rules: [Self.key: Self.rule(targeting)]))
        try desk.press("i", until: "1 key")
        try desk.press("Enter", "3", until: #"if targetingKey is "42": green"#)
        try desk.press("w", until: "Evaluate")
        try desk.tmux.type("user=42")
        try desk.press("Enter", until: "variant green")
        #expect(desk.presses <= 8)
    }

    @Test func aValueIsCopiedThroughTmux() throws {
        let desk = try Desk(PublishRequest(set: ["name": "a text"]))
        try desk.tmux.control(["set-option", "-s", "set-clipboard", "on"])
        try desk.press("i", until: "1 key")
        try desk.press("y", until: "Sent to the clipboard")
        try until("the text in tmux's buffer") { try desk.tmux.control(["show-buffer"]) == "a text" }
        #expect(desk.presses <= 8)
    }

    /// Two presses beside the name, and two back.
    @Test func anotherNamespaceIsFollowedByItsName() throws {
        let desk = try Desk(PublishRequest(set: ["app.fun_button.text": "Here"]))
        try desk.server.publish(PublishRequest(set: ["app.fun_button.text": "Elsewhere"]), to: "shop")
        try desk.see("Here")
        for (name, text) in [("shop", "Elsewhere"), ("default", "Here")] {
            try desk.press("S")
            try desk.tmux.waitFor("the namespaces") {
                $0.contains("● live") && $0.contains("shop") && $0.contains("1 key")
            }
            try desk.tmux.type(name)
            try desk.press("Enter")
            try desk.tmux.waitFor("the namespace \(name)") { $0.contains("▸  \(text)  ◂") && !$0.contains("Sources") }
        }
        #expect(desk.presses == 4)
        try desk.server.publish(PublishRequest(set: ["app.fun_button.text": "Later"]))
        try desk.see("▸  Later  ◂")
        try desk.press("q")
        #expect(try desk.tmux.waitForExit() == .exited(0))
    }

    /// A server that stops answering leaves the screen alive.
    @Test func aSilentServerLeavesTheScreenAlive() throws {
        let desk = try Desk(PublishRequest(set: ["limit": 1], message: "first"))
        #expect(desk.server.send(signal: SIGSTOP))
        try desk.press("h", until: "Loading")
        try desk.press("Escape", until: "press r to try again")
        #expect(desk.server.send(signal: SIGCONT))
        try desk.press("r", until: "first")
    }
}
