// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Files
import Programs
import RemoteConfig
import TerminalUI

extension DemoModel {
    /// The bottom row, with what no other row has room for.
    func statusBar(_ layout: MainLayout) -> StatusBar {
        let state = problems.isEmpty ? nil : Action.problems.rawValue
        var items = [StatusBar.Item(stateText, rank: 0, target: state)]
        // Before the problem, which takes what room there is.
        if size.columns >= Self.columnsForTheTime { items.append(StatusBar.Item(nextAttemptText, rank: 0)) }
        if let problem = problems.first {
            let more = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
            var short = problem
            short.source = problem.source?.fileNameOfPath
            let (long, shorter) = (problem.description + more, short.description + more)
            items.append(StatusBar.Item(long, shorter: shorter, rank: 1, target: Action.problems.rawValue))
        }
        if let problem = configuration.status.cacheProblem {
            items.append(StatusBar.Item(problem.description, rank: 1, isTruncatable: true))
        }
        if layout.bannerRow == nil, !values.versionGate.isUpToDate {
            items.append(StatusBar.Item(values.versionText, rank: 1, isTruncatable: true))
        }
        if layout.newsRow == nil {
            let news = activity.news?.text ?? ""
            items.append(StatusBar.Item(news, rank: 1, isTruncatable: true, target: Action.log.rawValue))
        }
        items += facts + hints
        return StatusBar(items: items)
    }

    /// What a click on the bottom row means: what its hint names, or the screen that shows more of a fact.
    func action(atColumn column: Int) -> Action? {
        let item = statusBar(MainLayout(self)).item(at: column, columns: size.columns)
        return item?.target.flatMap(Action.init(rawValue:))
    }

    /// The state of the connection as a glyph and a word.
    var stateText: String {
        if !values.problems.isEmpty { return SyncStatus.Phase.error.title }
        let status = configuration.status
        if status.phase == .starting, status.readingSince != nil { return "… reading" }
        switch status.problem?.code {
        case .unauthorized, .forbidden: return status.phase == .error ? "✖ refused" : status.phase.title
        case .notFound: return status.phase == .offline ? "✖ missing" : status.phase.title
        default: return status.phase.title
        }
    }

    private var facts: [StatusBar.Item] {
        let status = configuration.status
        return [
            StatusBar.Item(problems.isEmpty ? status.source : "", rank: 4),
            StatusBar.Item(tweakText, rank: 2, target: Action.tweak.rawValue),
            StatusBar.Item(status.modifiedAt.map { "modified \(clock.dateAndClock($0))" } ?? "", rank: 7),
            StatusBar.Item(status.lastChangeAt.map { "changed \(clock.clock($0))" } ?? "", rank: 6),
            StatusBar.Item(colorText, rank: 2),
            StatusBar.Item(values.versionGate.isUpToDate ? values.versionText : "", rank: 11),
        ]
    }

    /// Narrower lines leave the room to what is wrong.
    private static let columnsForTheTime = 60
    private static let columnsForTheDifference = 100

    /// When the source is asked next, such as `next try 12:00:05`, or since when a slow one has been read.
    private var nextAttemptText: String {
        let status = configuration.status
        if let start = status.readingSince { return "reading since \(clock.clock(start))" }
        guard let moment = status.nextAttemptAt else { return "" }
        return (status.problem == nil ? "next poll " : "next try ") + clock.clock(moment)
    }

    /// How many of the values on the screen are not those of the source.
    private var tweakText: String {
        switch values.tweaked.count {
        case 0: ""
        case 1: "◆ 1 tweak"
        case let count: "◆ \(count) tweaks"
        }
    }

    /// The colour as configured and as shown, such as `#FFB6C1 → 217, ΔE 4.6`; narrower lines leave the difference out.
    var colorText: String {
        let shown = colors.match(values.background)
        guard case .indexed(let index) = shown.color else { return "\(shown.asked) exact" }
        let (arrow, delta) = repertoire.isUTF8 ? ("→", "ΔE") : ("->", "dE")
        let text = "\(shown.asked) \(arrow) \(index)"
        if size.columns < Self.columnsForTheDifference { return text }
        return "\(text), \(delta) \(shown.difference.oneDecimal)"
    }

    private var hints: [StatusBar.Item] {
        let actions: [(Action, rank: Int)]
        if overlay != nil {
            actions = [(.close, 1), (.quit, 5)]
        } else if inspector != nil || tweaks != nil {
            // What is open has hints of its own.
            actions = [(.help, 3), (.quit, 3)]
        } else {
            actions =
                [(.open, 8), (.refresh, 9), (.inspect, 5), (.tweak, 5), (.log, 12), (.help, 3), (.quit, 3)]
                + (problems.isEmpty ? [] : [(.problems, 2)])
        }
        return actions.map { action, rank in
            StatusBar.Item(hint(for: action), rank: rank, isTrailing: true, target: action.rawValue)
        }
    }

    /// A key that does something where the keyboard is now, and what it does.
    private func hint(for action: Action) -> String {
        keys.hint(for: action, isTyping: overlay == nil && (inspector?.isTyping ?? tweaks?.isTyping ?? false))
    }
}

extension SyncStatus.Phase {
    /// A glyph and a word.
    var title: String {
        switch self {
        case .starting: "… starting"
        case .live: "● live"
        case .polling: "≈ polling"
        case .offline: "○ offline"
        case .error: "✖ error"
        case .stopped: "■ stopped"
        }
    }
}
