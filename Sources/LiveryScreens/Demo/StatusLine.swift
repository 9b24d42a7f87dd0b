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
        var messages = messages(layout)
        let news = layout.newsRow == nil ? activity.news?.text ?? "" : ""
        // The keys that help are beside an error, and leave it some room. They are left out for what has just happened.
        let keepsKeys = news.isEmpty && !messages.isEmpty
        if keepsKeys { messages[0].leastColumns = Self.leastColumnsOfMessage }
        messages.append(StatusBar.Item(news, rank: 2, isTruncatable: true, target: Action.log.rawValue))
        return StatusBar(
            items: [
                StatusBar.Item(stateText, rank: 0, target: state),
                StatusBar.Item(nextAttemptText, rank: keepsKeys ? 2 : 3),
            ] + messages + facts + hints(besideMessage: keepsKeys)
        )
    }

    /// The first error, and warnings that no other row has room for.
    private func messages(_ layout: MainLayout) -> [StatusBar.Item] {
        var items: [StatusBar.Item] = []
        if let problem = problems.first {
            var short = problem
            short.source = problem.source?.fileNameOfPath
            let (long, shorter) = (problem.description, short.description)
            items.append(StatusBar.Item(long, shorter: shorter, rank: 2, target: Action.problems.rawValue))
            // A separate item, so that a long error does not hide it.
            let more = problems.count > 1 ? "and \(problems.count - 1) more" : ""
            items.append(StatusBar.Item(more, rank: 1, target: Action.problems.rawValue))
        }
        if let problem = configuration.status.cacheProblem {
            items.append(StatusBar.Item(problem.description, rank: 2, isTruncatable: true))
        }
        if layout.bannerRow == nil, !values.versionGate.isUpToDate {
            items.append(StatusBar.Item(values.versionText, rank: 2, isTruncatable: true))
        }
        return items
    }

    private static let leastColumnsOfMessage = 32

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
            StatusBar.Item(ruleText, rank: 4, target: Action.inspect.rawValue),
            StatusBar.Item(status.modifiedAt.map { "modified \(clock.dateAndClock($0))" } ?? "", rank: 7),
            StatusBar.Item(status.lastChangeAt.map { "changed \(clock.clock($0))" } ?? "", rank: 6),
            StatusBar.Item(colorText, rank: 2),
            StatusBar.Item(upToDateText, rank: 11),
        ]
    }

    /// That the program is new enough for a source that can be read.
    private var upToDateText: String {
        guard problems.isEmpty, values.versionGate.isUpToDate else { return "" }
        return "\(values.versionText) with \(configuration.status.source)"
    }

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

    /// How many of the values on the screen have rules.
    private var ruleText: String {
        switch DemoValues.keys.count(where: configuration.snapshot.hasRule) {
        case 0: ""
        case 1: "◇ 1 rule"
        case let count: "◇ \(count) rules"
        }
    }

    /// The colour as configured and as shown, such as `#FFB6C1 → 217, ΔE 4.6`; narrower lines leave the difference out.
    var colorText: String {
        let shown = colors.match(values.background)
        guard case .indexed(let index) = shown.color else { return "\(shown.asked) exact" }
        let (arrow, delta) = repertoire.isUTF8 ? ("→", "ΔE") : ("->", "dE")
        let text = "\(shown.asked) \(arrow) \(colors.depth.name(ofEntry: index) ?? String(index))"
        if size.columns < Self.columnsForTheDifference { return text }
        return "\(text), \(delta) \(shown.difference.oneDecimal)"
    }

    /// The keys in the order of their importance, which is the same on every screen and at every width.
    ///
    /// - Parameter isBesideMessage: whether an error or a warning would take all the room.
    private func hints(besideMessage isBesideMessage: Bool) -> [StatusBar.Item] {
        let actions: [Action]
        if overlay != nil {
            actions = [.close, .quit]
        } else if !panels.isEmpty {
            // What is open has hints of its own.
            actions = [.help, .quit]
        } else {
            actions = (problems.isEmpty ? [] : [.problems]) + [.help, .quit, .inspect, .tweak, .open, .refresh, .log]
        }
        return actions.map { action in
            let rank =
                switch action {
                case .problems, .close, .help, .quit: isBesideMessage ? 1 : 3
                case .inspect, .tweak: 5
                case .open: 8
                case .refresh: 9
                default: 12
                }
            return StatusBar.Item(hint(for: action), rank: rank, isTrailing: true, target: action.rawValue)
        }
    }

    /// A key that does something where the keyboard is now, and what it does.
    private func hint(for action: Action) -> String {
        keys.hint(
            for: action,
            isTyping: overlay == nil ? panels.last?.takesText ?? false : list.isTyping
        )
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
