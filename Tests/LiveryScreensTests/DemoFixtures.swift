// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import Programs
import TerminalUI

@testable import LiveryScreens
@testable import RemoteConfig

/// Configurations and models for tests, at a fixed time.
enum Demo {
    /// 2026-11-20 12:03:44 UTC.
    static let noon = Timestamp(milliseconds: 1_795_176_224_000)

    static func later(seconds: Int64, milliseconds: Int64 = 0) -> Timestamp {
        Timestamp(milliseconds: noon.milliseconds + seconds * 1000 + milliseconds)
    }

    static let pink = document()

    /// A document with the demo's keys.
    static func document(
        color: String = "#FFB6C1",
        text: String = "Meow! 😸",
        url: String = "https://example.org/cats",
        minimumVersion: String = "0.9.0"
    ) -> String {
        """
        {
            "app.background.color": \(quoted(color)),
            "app.fun_button.text": \(quoted(text)),
            "app.fun_button.url": \(quoted(url)),
            "app.min_version": \(quoted(minimumVersion))
        }
        """
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            let isPlain = scalar.value >= 0x20 && scalar != "\"" && scalar != "\\"
            let digits = String(scalar.value, radix: 16)
            return isPlain ? String(scalar) : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\"" + escaped.joined() + "\""
    }

    /// The state of the program after a document was read.
    static func configuration(
        _ json: String,
        after before: ConfigState.Snapshot? = nil,
        source: String = "config.json",
        at moment: Timestamp = noon
    ) throws -> ConfigState.Snapshot {
        let document = try ConfigDocument(json: Array(json.utf8), source: source)
        var status = SourceStatus(source: source)
        status.phase = .streaming
        status.modifiedAt = moment
        status.lastChangeAt = moment
        var next = before ?? ConfigState.Snapshot(snapshot: .empty, status: status)
        next.status = status
        next.follow(next.snapshot.updated(with: document, from: source, at: moment))
        return next
    }

    static func model(
        _ json: String = pink,
        size: Size = Size(columns: 80, rows: 24),
        depth: ColorDepth = .indexed256,
        repertoire: GlyphRepertoire = .unicode,
        keys: UserKeys = .none
    ) throws -> DemoModel {
        let colors = ColorMatcher(depth: depth)
        let look = ScreenLook(colors: colors, repertoire: repertoire, clock: .utc, keys: keys)
        return DemoModel(size: size, look: look, state: try state(of: try configuration(json)))
    }

    /// The program's screen for a configuration, with definitions that have read the values of the state before.
    static func state(of next: ConfigState.Snapshot, after before: DemoState? = nil) throws -> DemoState {
        let time = next.status.lastChangeAt ?? noon
        guard let before else { return DemoState(configuration: next, time: time, values: DemoValues(of: next)) }
        let values = before.values
        let former = document(
            color: values.background.description,
            text: values.buttonText,
            url: values.buttonURL.text,
            minimumVersion: values.minimumVersion.description
        )
        let state = ConfigState(try configuration(former))
        let config = DemoConfig(state: state)
        _ = config.values(in: state.current.snapshot)
        state.replace(with: next)
        let shown = config.values(in: next.snapshot)
        return DemoState(configuration: next, time: time, values: shown, tweaks: before.tweaks)
    }
}

extension ScreenLook {
    /// Without motion and without the time zone of the machine.
    static func test(_ depth: ColorDepth) -> ScreenLook {
        ScreenLook(colors: ColorMatcher(depth: depth), clock: .utc, hasMotion: false)
    }
}

extension Key {
    /// The key of a name; for a text in braces, such as `{pink}`, the keys that type it.
    static func named(_ name: String) -> [Key] {
        let isText = name.count > 2 && name.hasPrefix("{")
        return isText ? name.dropFirst().dropLast().map(Key.character) : [Key(name)].compactMap(\.self)
    }
}

extension DemoModel {
    /// Applies a document as the source's contents.
    mutating func read(_ json: String, at moment: Timestamp = Demo.noon) throws {
        let next = try Demo.configuration(json, after: configuration, at: moment)
        _ = update(.changed(try Demo.state(of: next, after: state)))
    }

    /// Records that the source has no usable contents.
    mutating func fail(
        _ problem: ConfigError,
        phase: SourceStatus.Phase = .streaming,
        ofPart isOfPart: Bool = false
    ) {
        var next = state
        next.configuration.status.phase = phase
        (next.configuration.status.problem, next.configuration.status.hasFailed) = (problem, !isOfPart)
        _ = update(.changed(next))
    }

    /// Presses keys, or types texts (``Key/named(_:)``), one after the other, and returns what the last one has done. The
    /// searches for a text are answered.
    @discardableResult
    mutating func press(_ names: String...) -> [Effect] {
        var effects: [Effect] = []
        for name in names {
            effects = Key.named(name).flatMap { update(.terminal(.input(.key($0)))) }
            if name.hasPrefix("{") { finishWork() }
        }
        return effects
    }

    /// Uses the mouse.
    mutating func mouse(_ action: MouseEvent.Action, _ column: Int, _ row: Int) -> [Effect] {
        update(.terminal(.input(.mouse(MouseEvent(action, at: Point(column: column, row: row))))))
    }

    /// Clicks into the middle of the first place where a text is on the screen.
    @discardableResult
    mutating func click(_ text: String) -> [Effect] {
        guard let place = middle(of: text) else { return [] }
        let effects = mouse(.press(button: 0), place.column, place.row)
        return effects + mouse(.release(button: 0), place.column, place.row)
    }

    /// Answers the requests of searches.
    ///
    /// - Returns: the effects of the input that waits for them.
    @discardableResult
    mutating func finishWork(limit: Int = .max) -> [Effect] {
        var (effects, count): ([Effect], Int) = ([], 0)
        while isWorking, count < limit {
            effects += update(.working)
            count += 1
        }
        return effects
    }

    /// The first place where a text is on the screen.
    func place(of text: String) -> Point? {
        for (row, line) in lines.enumerated() {
            if let range = line.firstRange(of: text) {
                return Point(column: line[..<range.lowerBound].columnWidth, row: row)
            }
        }
        return nil
    }

    /// The middle of that place.
    func middle(of text: String) -> Point? {
        place(of: text).map { Point(column: $0.column + text.columnWidth / 2, row: $0.row) }
    }

    mutating func resize(_ columns: Int, _ rows: Int) {
        _ = update(.terminal(.resized(Size(columns: columns, rows: rows))))
    }

    /// The screen as text.
    var lines: [String] { view().lines }

    var values: DemoValues { state.values }
    var configuration: ConfigState.Snapshot { state.configuration }
    var problems: [ConfigError] { state.problems }
    var activity: Activity { main.activity }

    /// The list that is open over the main screen.
    var overlay: PanelKind? { panels.last.flatMap { $0.layer == .list || $0.layer == .help ? $0.kind : nil } }
    private var openList: (any OpenList)? { panels.last as? any OpenList }
    var list: ListState { openList?.list ?? ListState() }
    var overlayLines: [String] { (openList?.lines ?? []).map { $0.spans.map(\.text).joined() } }
    var overlayPage: Int { openList?.page ?? 0 }
    var overlayFrame: Rect { openList?.place.frame ?? .row(0, columns: 0) }

    /// The inspector, while it is open; the key that it shows in full; the tweaks.
    var inspector: InspectorScreen? { panels.lazy.compactMap { $0 as? InspectorScreen }.first }
    var page: ListScreen<KeyPage>? { panels.lazy.compactMap { $0 as? ListScreen<KeyPage> }.first }
    var tweaks: TweaksScreen? { panels.lazy.compactMap { $0 as? TweaksScreen }.first }

    /// The rows of the inspector within its border, without the blanks at their ends.
    var inspectorLines: [String] {
        guard inspector != nil else { return [] }
        let (grid, content) = (view(), PanelPlace.list(in: size).content)
        let lines = content.rows.map { row in
            let cells = content.columns.compactMap { grid[Point(column: $0, row: row)]?.cluster }
            return String(String(cells).droppingTrailingSpaces())
        }
        return Array(lines[..<(lines.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0)])
    }

    /// The bottom row.
    var statusLine: String { lines.last ?? "" }
}

/// A list that is open, whatever its content.
private protocol OpenList {
    var list: ListState { get }
    var lines: [ListLine] { get }
    var page: Int { get }
    var place: PanelPlace { get }
}

extension ListScreen: OpenList {}

extension Grid {
    /// The rows as text; the columns that a wide glyph covers are no part of it.
    var lines: [String] { (0..<size.rows).map { text(row: $0) } }

    /// Errors that a terminal could not show: half glyphs, glyphs beyond the edge, control characters.
    var faults: [String] {
        (0..<size.rows).flatMap { row in
            var (width, isHarmless) = (0, true)
            for cell in self.row(row) {
                guard let cluster = cell.cluster else { continue }
                width += cluster.columnWidth
                isHarmless = isHarmless && (cluster.isPrintableASCII || cluster.isHarmless)
            }
            return (width == size.columns ? [] : ["row \(row) is \(width) columns wide"])
                + (isHarmless ? [] : ["row \(row) has a control character"])
        }
    }
}

extension Character {
    fileprivate var isPrintableASCII: Bool { asciiValue.map { $0 >= 0x20 && $0 < 0x7F && self != "\r\n" } ?? false }

    fileprivate var isHarmless: Bool {
        unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && !$0.properties.isBidiControl }
    }
}
