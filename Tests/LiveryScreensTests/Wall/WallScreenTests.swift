// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Programs
import RemoteConfig
import TerminalUI
import Testing

@testable import LiveryScreens

struct WallScreenTests {
    /// A wall whose clients all show a document, three milliseconds from the first to the last.
    private func wall(
        of count: Int = 4,
        _ json: String = Demo.pink,
        size: Size = Size(columns: 80, rows: 24),
        depth: ColorDepth = .indexed256,
        repertoire: GlyphRepertoire = .unicode
    ) throws -> WallModel {
        let look = ScreenLook(colors: ColorMatcher(depth: depth), repertoire: repertoire, clock: .utc)
        var wall = WallModel(size: size, look: look, source: "config.json")
        _ = wall.update(.changed(try state(of: count, json)))
        return wall
    }

    private func state(of count: Int, _ json: String) throws -> WallState {
        let configuration = try Demo.configuration(json)
        let content = ConfigDigest(configuration.snapshot.entries.map { ($0.key, $0.value.value) })
        let start = ContinuousClock.now
        let screens = try (1...count).map { number in
            WallScreen(identity: WallIdentity(number: number), state: try Demo.state(of: configuration))
        }
        let arrivals = screens.map { screen in
            let isLast = screen.identity.number == count && count > 1
            let moment = start + .milliseconds(isLast ? 3 : 0)
            return Arrival(identity: screen.identity, content: content, moment: moment)
        }
        return WallState(screens: screens, arrivals: arrivals)
    }

    @Test(arguments: [
        (4, 80, "4 of 4 changed within 3.0 ms"), (9, 160, "9 of 9 changed within 3.0 ms"),
        (1, 80, "1 of 1 changed within 0.0 ms"), (4, 30, "4 of 4 in 3.0 ms"),
    ])
    func bottomLineShowsHowAChangeSpread(count: Int, columns: Int, text: String) throws {
        let wall = try wall(of: count, size: Size(columns: columns, rows: 24))
        let line = wall.view().text(row: 23)
        #expect(line.contains(text))
        #expect(line.contains("● \(count) live"))
    }

    @Test(arguments: [
        ([false, false, false, false], "4 of 4 received within 3.0 ms"),
        ([true, false, true, false], "2 of 4 changed within 3.0 ms, 4 received"),
    ])
    func updateWithEqualValuesIsNoChange(changes: [Bool], text: String) throws {
        var wall = try wall(size: Size(columns: 120, rows: 24))
        var next = try state(of: 4, Demo.document(text: "Woof!"))
        for (index, isChange) in changes.enumerated() { next.arrivals[index].isChange = isChange }
        _ = wall.update(.changed(next))
        #expect(wall.statusLine.contains(text))
    }

    @Test func aFailedRefreshIsForgottenOnceTheSourceIsRead() throws {
        var wall = try wall(size: Size(columns: 160, rows: 50))
        _ = wall.update(.refreshed([.failed(ConfigError(.unreachable, "no route"))]))
        #expect(wall.statusLine.contains("Refresh failed: no route"))
        _ = wall.update(.changed(try state(of: 4, Demo.pink)))
        #expect(!wall.statusLine.contains("Refresh failed"))
    }

    @Test func theSpreadStaysUntilTheNextChange() throws {
        var wall = try wall()
        var quiet = try state(of: 4, Demo.pink)
        quiet.arrivals = []
        _ = wall.update(.changed(quiet))
        wall.press("?", "Escape", "r")
        #expect(wall.statusLine.contains("4 of 4 changed within 3.0 ms"))
        var next = try state(of: 4, Demo.document(color: "#87CEFA"))
        next.arrivals = Array(next.arrivals.prefix(1))
        _ = wall.update(.changed(next))
        #expect(wall.statusLine.contains("1 of 4 changed within 0.0 ms"))
    }

    @Test func clientsInOtherStatesAreCounted() throws {
        var wall = try wall(size: Size(columns: 160, rows: 50))
        var state = try state(of: 4, Demo.pink)
        state.screens[1].state.configuration.status.phase = .offline
        let problem = ConfigError(.unreachable, "no route to the host", source: "http://127.0.0.1:9/")
        state.screens[1].state.configuration.status.problem = problem
        state.arrivals = []
        _ = wall.update(.changed(state))
        #expect(wall.statusLine.contains("● 3 live  ○ 1 offline"))
        #expect(wall.statusLine.contains("wall-2: "))
        #expect(wall.statusLine.contains("no route to the host"))
        let grid = wall.view()
        #expect(grid[Point(column: 0, row: 49)]?.style.background == .indexed(124), "the red of errors")
    }
}

extension WallScreenTests {
    @Test func keysAskForMoreAndFewerScreens() throws {
        var wall = try wall()
        #expect(wall.press("+") == [.populate(5)])
        // Before the first has had its effect.
        #expect(wall.press("=") == [.populate(6)])
        #expect(wall.press("-") == [.populate(5)])
        #expect(wall.press("r") == [.refresh])
        #expect(wall.press("Ctrl-L") == [.redraw])
        #expect(wall.press("q") == [.quit(signal: nil)])
        #expect(wall.press("Ctrl-C") == [.quit(signal: nil)])
        #expect(wall.press("x") == [])
        #expect(wall.view().lines.joined().contains("x is not bound here; ? shows the keys"))
    }

    @Test func thereIsAlwaysAScreenAndNoneWithoutRoom() throws {
        var wall = try wall(of: 24)
        #expect(wall.press("+") == [])
        #expect(wall.feedback == "Only 24 screens fit in 80×24")
        var last = try self.wall(of: 1)
        #expect(last.press("-") == [])
        #expect(last.feedback == "Cannot remove the last screen")
    }

    @Test func aSmallerWindowShowsAsManyAsFitAndSaysSo() throws {
        var wall = try wall(of: 9)
        _ = wall.update(.terminal(.resized(Size(columns: 40, rows: 12))))
        let lines = wall.view().lines
        #expect(lines.joined().contains("wall-6"))
        #expect(!lines.joined().contains("wall-7"))
        #expect(wall.press("+") == [])
        #expect(wall.press("-") == [.populate(8)])
        _ = wall.update(.terminal(.resized(Size(columns: 160, rows: 50))))
        #expect(wall.view().lines.joined().contains("wall-9"))
        _ = wall.update(.terminal(.resized(Size(columns: 60, rows: 12))))
        #expect(wall.view().lines.joined().contains(" fit") == false)
        _ = wall.update(.terminal(.resized(Size(columns: 100, rows: 7))))
        #expect(wall.statusLine.contains("5 of 9 fit"))
    }

    @Test func hintsCanBeClicked() throws {
        var wall = try wall()
        let line = wall.statusLine
        for (hint, effects) in [("+ More", [WallModel.Effect.populate(5)]), ("q Quit", [.quit(signal: nil)])] {
            let range = try #require(line.firstRange(of: hint))
            let column = line[..<range.lowerBound].columnWidth + 1
            let click = MouseEvent(.press(button: 0), at: Point(column: column, row: 23))
            #expect(wall.update(.terminal(.input(.mouse(click)))) == effects)
        }
    }

    @Test func failedClientIsReported() throws {
        var wall = try wall(size: Size(columns: 160, rows: 50))
        let count = wall.wanted
        wall.press("+")
        #expect(wall.wanted == count + 1)
        _ = wall.update(.refused(ConfigError(.unreadable, "the token file is gone")))
        #expect(wall.wanted == count)
        #expect(wall.statusLine.contains("Cannot add another screen: the token file is gone"))
    }
}

extension WallScreenTests {
    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            "\u{1B}[2J\u{1B}]0;owned\u{7}", "\u{202E}cod.exe\u{2066}", "漢字かな交じり文", "a\r\nb\tc\u{B}\u{C}", "",
            String(repeating: "😸", count: 4000), String(repeating: "\u{1B}", count: 4000),
            "e" + String(repeating: "\u{301}", count: 500),
        ]
    )
    func noTextReachesTheTerminalAsACommand(text: String) throws {
        let sizes = [(200, 60), (80, 24), (20, 5), (3, 3), (1, 1), (0, 0)].map { Size(columns: $0.0, rows: $0.1) }
        for repertoire in [GlyphRepertoire.unicode, .ascii] {
            var wall = try wall(of: 9, Demo.document(text: text, url: text), repertoire: repertoire)
            wall.source = text
            for size in sizes {
                _ = wall.update(.terminal(.resized(size)))
                #expect(wall.view().faults == [], "\(size)")
                var state = try state(of: 9, Demo.document(text: text))
                let problem = ConfigError(.syntax, text, source: text, key: text)
                state.screens[0].state.configuration.status.problem = problem
                _ = wall.update(.changed(state))
                _ = wall.update(.refreshed([.failed(ConfigError(.syntax, text))]))
                #expect(wall.view().faults == [], "\(size)")
            }
        }
    }
}

extension WallModel {
    /// Presses keys by their names, one after the other, and returns what the last one has done.
    @discardableResult
    fileprivate mutating func press(_ names: String...) -> [Effect] {
        names.map { name in
            Key(name).map { update(.terminal(.input(.key($0)))) } ?? []
        }.last ?? []
    }

    fileprivate var statusLine: String { view().lines.last ?? "" }
}
