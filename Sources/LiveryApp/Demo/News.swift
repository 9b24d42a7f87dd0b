import ConfigModel
import RemoteConfig
import TerminalUI

/// Something that has just happened, as a line of the main screen that is shown for a while.
struct News: Sendable {
    let line: ActiveLine<Action>
    /// The change that it tells of.
    private(set) var update: ConfigDidUpdate?
    let duration: Duration

    /// A sentence about something that was asked for.
    init(_ text: String) {
        line = ActiveLine([.init(text)])
        duration = .seconds(10)
    }

    /// What has changed; of several keys the first.
    init(_ first: ShownChange, of update: ConfigDidUpdate, isTweaked: Bool, repertoire: GlyphRepertoire) {
        var spans = first.spans(repertoire)
        let more = update.changedKeys.count - 1
        if more > 0 { spans.append(.init("  and \(more) more", .dimmed)) }
        if isTweaked { spans.append(.init("  ◆ tweaked, so the screen stays", .dimmed)) }
        line = ActiveLine(spans.map { ActiveLine.Span($0.text, $0.tone, target: .log) })
        self.update = update
        duration = .seconds(4)
    }

    var text: String { line.spans.map(\.text).joined() }
}

/// A key and what became of its value, short enough for a line.
struct ShownChange: Hashable, Sendable {
    let key: String
    let old: ShownValue?
    let new: ShownValue?

    /// A value as it is shown, cut to what a line can hold.
    struct ShownValue: Hashable, Sendable {
        let text: String
        let color: RGBColor?

        private static let mostColumns = 60

        init(_ value: EntryValue) {
            color = RGBColor(configValue: value)
            text = (color?.description ?? value.canonicalJSON).truncated(toColumns: Self.mostColumns)
        }

        fileprivate var spans: [ActiveLine<Action>.Span] {
            (color.map { [.init("  ", .swatch($0)), .init(" ")] } ?? []) + [.init(text)]
        }
    }

    init(_ key: String, in update: ConfigDidUpdate) {
        let (old, new) = update.values(forKey: key)
        self.key = key
        self.old = old.map(ShownValue.init)
        self.new = new.map(ShownValue.init)
    }

    /// Such as `app.background.color  ██ #FFB6C1 → ██ #87CEFA`.
    func spans(_ repertoire: GlyphRepertoire) -> [ActiveLine<Action>.Span] {
        let arrow = ActiveLine<Action>.Span(repertoire.isUTF8 ? " → " : " -> ", .dimmed)
        let change: [ActiveLine<Action>.Span] =
            switch (old, new) {
            case (let old?, let new?): old.spans + [arrow] + new.spans
            case (nil, let new?): [.init("added ", .dimmed)] + new.spans
            case (let old?, nil): [.init("removed, was ", .dimmed)] + old.spans
            case (nil, nil): []
            }
        return [.init(key + "  ", .dimmed)] + change
    }
}

extension ConfigDidUpdate {
    func hasChanged(_ key: String) -> Bool {
        let (old, new) = values(forKey: key)
        return old != new
    }
}

extension [ShownChange] {
    /// The first changes of an update, those of the screen before all others.
    init(of update: ConfigDidUpdate, most count: Int) {
        let shown = DemoValues.keys.filter(update.hasChanged)
        let others = update.changedKeys.lazy.filter { !DemoValues.keys.contains($0) }.prefix(count)
        self = (shown + others).prefix(count).map { ShownChange($0, in: update) }
    }
}
