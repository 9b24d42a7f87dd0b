// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Files
import Programs
import RemoteConfig
import TerminalUI

/// The bottom row, with what no other row has room for.
struct StatusLine {
    private let screen: MainScreen
    private let layout: MainLayout

    private typealias Command = MainScreen.Command

    init(_ screen: MainScreen) { (self.screen, layout) = (screen, screen.layout) }

    private var problems: [ConfigError] { screen.state.problems }
    private var values: DemoValues { screen.values }
    private var status: SourceStatus { screen.state.configuration.status }

    var bar: StatusBar {
        let problems = problems
        var messages = messages(problems)
        let news = layout.newsRow == nil ? screen.activity.news?.text ?? "" : ""
        // An error leaves room for the keys next to it. For a fresh event, only the key for help stays.
        let keepsKeys = news.isEmpty && !messages.isEmpty
        if keepsKeys { messages[0].minimumColumns = Self.minimumMessageColumns }
        messages.append(StatusBar.Item(news, rank: 2, isTruncatable: true, target: Command.log.rawValue))
        let state = problems.isEmpty ? nil : Command.problems.rawValue
        return StatusBar(
            items: [
                StatusBar.Item(screen.state.title, rank: 0, target: state),
                StatusBar.Item(status.previewText, rank: 0),
                StatusBar.Item(unpublishedText, rank: 1, target: Command.staged.rawValue),
                StatusBar.Item(nextAttemptText, rank: keepsKeys ? 2 : 3),
            ] + messages + facts(isHealthy: problems.isEmpty) + hints(problems, besideMessage: keepsKeys)
        )
    }

    /// The meaning of a click: what its hint names, or the screen that shows more of a fact.
    func command(atColumn column: Int) -> MainScreen.Command? {
        let item = bar.item(at: column, columns: screen.size.columns)
        return item?.target.flatMap(Command.init(rawValue:))
    }
}

extension StatusLine {
    /// The first error, and warnings that no other row has room for.
    private func messages(_ problems: [ConfigError]) -> [StatusBar.Item] {
        var items: [StatusBar.Item] = []
        if let problem = problems.first {
            var short = problem
            short.source = problem.source?.fileNameOfPath
            let (long, shorter) = (problem.description, short.description)
            items.append(StatusBar.Item(long, shorter: shorter, rank: 2, target: Command.problems.rawValue))
            // A separate item, so that a long error does not hide it.
            let more = problems.count > 1 ? "and \(problems.count - 1) more" : ""
            items.append(StatusBar.Item(more, rank: 1, target: Command.problems.rawValue))
        }
        // A wall has the note once.
        if screen.presence != .picture, let note = screen.state.configuration.noteOnNamespace {
            items.append(StatusBar.Item(note, rank: 2, isTruncatable: true, target: Command.problems.rawValue))
        }
        if let problem = status.cacheProblem {
            items.append(StatusBar.Item(problem.description, rank: 2, isTruncatable: true))
        }
        if layout.bannerRow == nil, !values.isUpToDate {
            items.append(StatusBar.Item(values.versionText, rank: 2, isTruncatable: true))
        }
        return items
    }

    private static let minimumMessageColumns = 32

    private func facts(isHealthy: Bool) -> [StatusBar.Item] {
        let (status, clock) = (status, screen.look.clock)
        let ruled = DemoValues.keys.count(where: screen.state.configuration.snapshot.hasRule)
        let isUpToDate = isHealthy && values.isUpToDate
        return [
            StatusBar.Item(isHealthy ? status.source : "", rank: 4),
            StatusBar.Item(text("◆", values.tweaked.count, "tweak"), rank: 2, target: Command.tweak.rawValue),
            StatusBar.Item(text("◇", ruled, "rule"), rank: 4, target: Command.inspect.rawValue),
            StatusBar.Item(status.modifiedAt.map { "modified \(clock.dateAndClock($0))" } ?? "", rank: 7),
            StatusBar.Item(status.lastChangeAt.map { "changed \(clock.clock($0))" } ?? "", rank: 6),
            StatusBar.Item(colorText, rank: 2),
            StatusBar.Item(isUpToDate ? "Up to date with \(status.source)" : "", rank: 11),
        ]
    }

    private static let columnsForTheDifference = 100

    /// The time of the next poll, such as `next try 12:00:05`, or the start of a slow read.
    private var nextAttemptText: String {
        let (status, clock) = (status, screen.look.clock)
        if let start = status.readingSince { return "reading since \(clock.clock(start))" }
        guard let moment = status.nextAttemptAt else { return "" }
        return (status.problem == nil ? "next poll " : "next retry ") + clock.clock(moment)
    }

    /// The number of changes that are not published, such as `2 staged, 1 draft`.
    private var unpublishedText: String {
        let (staged, drafts) = screen.unpublished
        let parts = [staged > 0 ? "\(staged.grouped) staged" : "", drafts > 0 ? drafts.grouped(of: "draft") : ""]
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// A number of values on the screen, such as `◆ 2 tweaks`; empty for none.
    private func text(_ sign: String, _ count: Int, _ noun: String) -> String {
        count == 0 ? "" : "\(sign) \(count.grouped(of: noun))"
    }

    /// The colour as configured and as shown, such as `#FFB6C1 → 217, ΔE 4.6`; narrower lines leave the difference out.
    var colorText: String {
        let (colors, repertoire) = (screen.look.colors, screen.look.repertoire)
        let shown = colors.match(values.background)
        guard case .indexed(let index) = shown.color else { return "\(shown.asked) exact" }
        let (arrow, delta) = repertoire.isUTF8 ? ("→", "ΔE") : ("->", "dE")
        let text = "\(shown.asked) \(arrow) \(colors.depth.name(ofEntry: index) ?? String(index))"
        if screen.size.columns < Self.columnsForTheDifference { return text }
        return "\(text), \(delta) \(shown.difference.oneDecimal)"
    }

    private static let commands: [Command] = [.problems, .help, .quit, .inspect, .tweak, .open, .refresh, .log]

    /// The keys in one order on every screen and at every width. The key for help stays as long as the state; the others
    /// are dropped from the end.
    ///
    /// - Parameter isBesideMessage: whether an error or a warning would take all the room.
    private func hints(_ problems: [ConfigError], besideMessage isBesideMessage: Bool) -> [StatusBar.Item] {
        let (commands, isTyping): ([Command], Bool) =
            switch screen.presence {
            case .alone: (Array(problems.isEmpty ? Self.commands.dropFirst() : Self.commands[...]), false)
            // An open panel has its own hints.
            case .behind(.list, let isTyping), .behind(.question, let isTyping), .behind(.sources, let isTyping),
                .behind(.palette, let isTyping), .behind(.help, let isTyping):
                ([.close, .quit], isTyping)
            case .behind(_, let isTyping): ([.help, .quit], isTyping)
            case .picture: ([], false)
            }
        return commands.map { command in
            let rank =
                switch command {
                case .help: 0
                case .problems, .close, .quit: isBesideMessage ? 1 : 3
                case .inspect, .tweak: 5
                case .open: 8
                case .refresh: 9
                default: 12
                }
            let hint = command.declaration(screen.look.keys).hintText(isTyping: isTyping)
            return StatusBar.Item(hint, rank: rank, isTrailing: true, target: command.rawValue)
        }
    }
}
