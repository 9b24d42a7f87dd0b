// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import Programs
import RemoteConfig
import TerminalUI

/// The events since the program started, and the newest of them.
struct Activity: Sendable {
    /// The last event, while it is new.
    private(set) var news: Headline? {
        didSet { startTimer() }
    }
    /// The background on its way to the present colour.
    private(set) var fade: Fade? {
        didSet { if fade != oldValue { startTimer() } }
    }
    /// One at a time: the next frame of the fade, and after the last one the end of the news.
    private(set) var timer: ScreenTimer?
    private var timerCount = 0
    /// The last colours of the background that the source has set, oldest first.
    private(set) var colors: [RGBColor] = []
    /// Changes, problems and reconnects, oldest first.
    private(set) var log: [LogEntry] = []

    /// Something that happened, in one line or several.
    struct LogEntry: Hashable, Sendable {
        let time: Timestamp
        let lines: [TextLine]
    }

    private static let maximumColors = 20
    private static let maximumLogEntries = 200
    private static let maximumKeysPerEntry = 8
    /// Changes that follow each other faster than this are shown at once, in milliseconds.
    private static let burst = 500
}

extension Activity {
    mutating func show(_ text: String, written: [KeyChange] = []) { news = Headline(text, written: written) }

    mutating func clearNews() { news = nil }

    /// Adds an action of the user to the log, with the changes that it has made.
    mutating func note(_ texts: [String], _ changes: [[TextLine.Span]] = [], at time: Timestamp) {
        append(texts.map { TextLine([.init($0)]) } + changes.map { TextLine($0) }, at: time)
    }

    /// Adds the changes between two states as one headline and one entry of the log.
    private mutating func report(_ keys: [String], from old: DemoState, to new: DemoState, on look: ScreenLook) {
        // The values of the screen before all others.
        let shown = DemoValues.keys.filter(keys.contains)
        let others = keys.lazy.filter { !shown.contains($0) }.prefix(Self.maximumKeysPerEntry)
        let (before, after) = (old.configuration.snapshot, new.configuration.snapshot)
        let changes = (shown + others).prefix(Self.maximumKeysPerEntry).map { key in
            ShownChange(key, from: before, to: after, hasColors: look.hasColors)
        }
        guard let first = changes.first else { return }
        let isTweaked = new.values.tweaked.contains(first.key)
        if news?.reports(keys, in: after) != true {
            news = Headline(first, of: keys, isTweaked: isTweaked, repertoire: look.repertoire)
        }
        var lines = changes.map { TextLine($0.spans(look.repertoire)) }
        let more = keys.count - changes.count
        if more > 0 { lines.append(TextLine([.init("and \(more) more", .dimmed)])) }
        append(lines, at: new.time)
    }

    /// Reports rules that have changed without another value here.
    private mutating func reportRules(from old: EntrySnapshot, to new: EntrySnapshot, at time: Timestamp) {
        let keys = new.changedRules(since: old)
        guard let first = keys.first, news?.reports(keys, in: new) != true else { return }
        let more = keys.count > 1 ? "  and \(keys.count - 1) more" : ""
        announce("\(first)  rule changed, same value\(more)", at: time)
    }

    private mutating func announce(_ text: String, at time: Timestamp) {
        show(text)
        append(text, at: time)
    }

    private mutating func append(_ text: String, at time: Timestamp) { append([TextLine([.init(text)])], at: time) }

    private mutating func append(_ lines: [TextLine], at time: Timestamp) {
        if log.count == Self.maximumLogEntries { log.removeFirst() }
        log.append(LogEntry(time: time, lines: lines))
    }

    mutating func follow(_ next: DemoState, after last: DemoState, on look: ScreenLook) {
        let (old, new) = (last.configuration, next.configuration)
        let isRead = new.snapshot.revision != old.snapshot.revision
        if last.values.background != next.values.background {
            let isSeen = look.canFade && isRead && fade == nil && !old.snapshot.entries.isEmpty
            let isAlone = !Self.isBurst(old.status, new.status)
            fade = isSeen && isAlone ? Fade(start: last.values.background, end: next.values.background) : nil
        }
        if isRead {
            remember(next.values.background, after: old.snapshot.entries.isEmpty ? nil : last.values.background)
        }
        // The first state of a launch is not news, but an error is an event.
        if old.status.phase != .starting { reportChanges(from: last, to: next, isRead: isRead, on: look) }
        let isStart = old.status.phase == .starting && new.status.problem == nil
        if !isStart, new.status.problem != old.status.problem || new.status.title != old.status.title {
            append(new.status.title + (new.status.problemOfSource.map { "  \($0)" } ?? ""), at: next.time)
        }
        let known = last.problemsOfKeys
        for problem in next.problemsOfKeys where !known.contains(problem) {
            append("\(SourceStatus.errorTitle)  \(problem.description)", at: next.time)
        }
        if let note = new.sentenceOnNamespace, note != old.sentenceOnNamespace { append(note, at: next.time) }
    }

    private mutating func reportChanges(from last: DemoState, to next: DemoState, isRead: Bool, on look: ScreenLook) {
        let (old, new) = (last.configuration, next.configuration)
        if let keys = new.changedKeys(since: old.snapshot.revision) {
            report(keys, from: last, to: next, on: look)
            if isRead, keys.isEmpty { reportRules(from: old.snapshot, to: new.snapshot, at: next.time) }
        } else {
            announce("Thousands of values changed", at: next.time)
        }
    }

    private mutating func remember(_ color: RGBColor, after last: RGBColor?) {
        guard let last else { return colors = [color] }
        if colors.isEmpty { colors = [last] }
        if colors.last != color { colors.append(color) }
        if colors.count > Self.maximumColors { colors.removeFirst() }
    }

    private static func isBurst(_ old: SourceStatus, _ new: SourceStatus) -> Bool {
        guard let last = old.lastChangeAt, let next = new.lastChangeAt else { return false }
        return next.milliseconds - last.milliseconds < burst
    }
}

extension Activity {
    /// The keys that have changed a moment ago.
    var changedKeys: Set<String> { news?.changedKeys ?? [] }

    private mutating func startTimer() {
        let delay = fade == nil ? news?.duration : Fade.interval
        timerCount += 1
        timer = delay.map { ScreenTimer(number: timerCount, delay: $0) }
    }

    /// - Parameter isBehind: whether the terminal is too slow for a fade.
    mutating func timerFired(isBehind: Bool) {
        guard var fade else { return news = nil }
        fade.frame += 1
        self.fade = isBehind || fade.frame >= Fade.frames ? nil : fade
    }
}

/// The way of the background from one colour to the next.
struct Fade: Hashable, Sendable {
    let start: RGBColor
    let end: RGBColor
    /// The frames that were shown, of ``frames``.
    var frame = 1

    static let frames = 8
    /// Between two frames; all take 160 ms.
    static let interval = Duration.milliseconds(20)

    /// The current colour: the fade starts fast and ends slowly.
    var color: RGBColor {
        let rest = 1 - Double(frame) / Double(Self.frames)
        return OklabColor(start).mixed(with: OklabColor(end), share: 1 - rest * rest).rgb
    }
}
