// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Files
import RemoteConfig
package import TerminalUI

extension WallModel {
    func view() -> Grid {
        // The wall itself is black, so that the lines on it are seen beside any colour.
        grid(Theme(background: colors.match(RGBColor(rgb24: 0x000000)), colors: colors))
    }

    func draw(on grid: inout Grid, _ theme: Theme) {
        let layout = WallLayout(of: screens.count, in: size)
        grid.drawLines(of: layout, style: theme.dimmed)
        for (screen, tile) in zip(screens, layout.tiles) {
            grid.draw(view(of: screen, size: tile.size), at: tile.origin)
        }
        if let row = layout.statusRow {
            let isWell = problem == nil
            let text = statusBar.text(columns: size.columns)
            grid.write(text, at: Point(column: 0, row: row), style: isWell ? theme.dimmed : theme.inverse)
        }
        if let helpPage { grid.draw(helpPage, keys: keys, theme) }
    }

    /// The main screen made small, with the client's name in the corner.
    private func view(of screen: WallScreen, size: Size) -> Grid {
        let model = model(of: screen, size: size)
        let theme = Theme(background: model.background, colors: colors)
        var grid = model.view()
        let last = max(size.rows - 1, 0)
        // A message in this row, inverse, goes on around the name.
        let style = grid[Point(column: 0, row: 0)]?.style == theme.page ? theme.dimmed : theme.inverse
        let room = size.columns - 2
        let name = screen.identity.description.truncated(toColumns: room)
        guard size.rows > 1 else { return grid }
        grid.write(name, at: Point(column: 1, row: 0), style: style)
        let color = model.background.asked.description
        if name.columnWidth + color.columnWidth < room, !grid.text(row: last).contains(color) {
            grid.write(color, at: Point(column: size.columns - 1 - color.columnWidth, row: 0), style: style)
        }
        return grid
    }

    private func model(of screen: WallScreen, size: Size) -> DemoModel {
        var state = screen.state
        // One line of the wall names it for all of them.
        state.configuration.status.source = ""
        let keys = KeyMap(bindings: [])
        var model = DemoModel(
            size: size,
            colors: colors,
            repertoire: repertoire,
            keys: keys,
            clock: clock,
            state: state
        )
        model.hasFocus = false
        return model
    }
}

extension WallModel {
    /// The bottom row: the states of the clients, and how the last change has spread.
    var statusBar: StatusBar {
        let problem = problem ?? ""
        // In the order of their importance, as on the main screen; a message leaves room to the first two.
        let important = problem.isEmpty && feedback.isEmpty ? 3 : 1
        let hints: [(Command, rank: Int)] = [
            (.help, important), (.quit, important), (.more, 6), (.fewer, 7), (.refresh, 9),
        ]
        var message = StatusBar.Item(feedback.isEmpty ? problem : feedback, rank: 2, isTruncatable: true)
        message.leastColumns = feedback.isEmpty ? 20 : 40
        let file = source.fileNameOfPath
        return StatusBar(
            items: states.map { StatusBar.Item($0, rank: 0) }
                + [
                    StatusBar.Item(hiddenText, rank: 1),
                    StatusBar.Item(spreadText.long, shorter: spreadText.short, rank: 1),
                    message, StatusBar.Item(feedback.isEmpty ? "" : problem, rank: 2, isTruncatable: true),
                    StatusBar.Item(problem.isEmpty ? source : "", shorter: file, rank: 4),
                ]
                + hints.map { StatusBar.Item(hint(for: $0.0), rank: $0.rank, isTrailing: true) }
        )
    }

    /// How many clients are in each state, such as `● 3 live` and `○ 1 offline`.
    private var states: [String] {
        let texts = screens.map { model(of: $0, size: size).stateText }
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }.map { text in
            let words = text.split(separator: " ", maxSplits: 1)
            return "\(words.first ?? "") \(texts.count { $0 == text }) \(words.dropFirst().joined())"
        }
    }

    /// How far the newest state has come, how many values it has changed, and the time from the first client that has it
    /// to the last, such as `4 of 4 changed within 3.2 ms`. With a rollout, `2 of 4 changed within 3.2 ms, 4 received`.
    private var spreadText: (long: String, short: String) {
        guard let report = spread.newest else { return ("", "") }
        let time = (report.duration / .milliseconds(1)).oneDecimal
        let received = "\(report.count) of \(report.total)"
        let short = "\(received) in \(time) ms"
        if report.changedCount == 0 { return ("\(received) received within \(time) ms", short) }
        let rest = report.changedCount == report.count ? "" : ", \(report.count) received"
        return ("\(report.changedCount) of \(report.total) changed within \(time) ms\(rest)", short)
    }

    /// How many of the screens are seen, such as `6 of 9 fit`.
    private var hiddenText: String {
        let most = WallLayout.mostScreens(in: size)
        return most < screens.count ? "\(most) of \(screens.count) fit" : ""
    }

    /// The first problem of the first client that has one.
    private var problem: String? {
        for screen in screens {
            guard var problem = model(of: screen, size: size).problems.first else { continue }
            problem.source = problem.source?.fileNameOfPath
            return "\(screen.identity): \(problem)"
        }
        return nil
    }
}

extension WallLayout {
    /// How many screens fit, as a sentence without its end.
    package static func capacity(of size: Size) -> String {
        let most = mostScreens(in: size)
        let noun = most == 1 ? "screen fits" : "screens fit"
        return "Only \(most) \(noun) into \(size.columns)×\(size.rows)"
    }
}
