// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
package import ConfigModel
import ConfigWire
import Programs
import RemoteConfig
package import TerminalUI

/// A screen that can be drawn from a fixture.
package enum ScreenName: String, CaseIterable, Sendable {
    case main, help, errors, log, inspector, tweaks, sources, palette, wall

    /// The panel over or beside the main screen.
    fileprivate var panel: PanelKind? { Self.panels[self] }

    private static let panels: [ScreenName: PanelKind] = [
        .help: .help, .errors: .problems, .log: .log, .inspector: .inspector, .tweaks: .tweaks,
        .sources: .sources(.follow), .palette: .palette,
    ]
}

/// The contents of a screen, from a file: for tests and pictures, without a source and without a clock.
///
/// ```json
/// {
///   "size": [80, 24], "time": "2026-11-20T12:03:44Z", "source": "config.json",
///   "values": {"app.background.color": "#FFB6C1"},
///   "tweaks": {"app.background.color": "#87CEFA"},
///   "changes": [{"app.background.color": "#000000"}], "problem": "the file does not exist",
///   "clients": 4, "keys": ["Down", "Enter", {"type": "#FF0000"}]
/// }
/// ```
///
/// All members are optional. `changes` are what the source has next, one after the other, and `problem` comes after
/// them, all before the screen opens. `clients` is for the wall. `keys` are pressed on the open screen; what they
/// request beyond the screen is ignored, but for edits of tweaks, which last as long as the screen.
package struct ScreenFixture: Sendable {
    private let members: FixtureMembers
    /// The tweaks, by their keys in a store.
    private var overrides: [String: EntryValue] = [:]

    /// Reads a fixture.
    ///
    /// - Parameter name: the name of the file, for errors.
    /// - Throws: an error with the invalid member and the expected form.
    package init(json: [UInt8], source name: String) throws(ConfigError) {
        do throws(ConfigError) {
            members = try FixtureMembers(try EntryValue(json: json))
            let repository = FixtureDesk(members, overrides, size: members.size, look: .fixture()).repository
            for (id, value) in members.tweaks {
                guard let tweak = repository.tweak(id: id) else {
                    throw ConfigError(.notFound, "tweaks: unknown tweak '\(id)'")
                }
                overrides["default/\(id)"] = try tweak.parse(String(configValue: value) ?? value.canonicalJSON)
            }
        } catch {
            throw error.naming(source: name)
        }
    }

    /// The frame of a screen.
    ///
    /// - Parameters:
    ///   - size: the extent; that of the fixture if it is `nil`.
    ///   - colors: the terminal's colours.
    package func frame(
        of screen: ScreenName,
        size: Size? = nil,
        colors: ColorMatcher = ColorMatcher(depth: .direct),
        repertoire: GlyphRepertoire = .unicode
    ) -> Grid {
        var look = ScreenLook.fixture(colors)
        look.repertoire = repertoire
        let model = model(of: screen, size: size ?? members.size, look: look)
        return screen == .wall ? wall(like: model) : model.view()
    }

    /// The demo with a screen open.
    func model(of screen: ScreenName, size: Size, look: ScreenLook = .fixture()) -> DemoModel {
        desk(of: screen, size: size, look: look).model
    }

    /// The demo with a screen open, to send more events to.
    func desk(of screen: ScreenName, size: Size, look: ScreenLook = .fixture()) -> FixtureDesk {
        var desk = FixtureDesk(members, overrides, size: size, look: look)
        if let panel = screen.panel { desk.perform(desk.model.toggle(panel)) }
        if screen != .wall { for key in members.keys { desk.send(.terminal(.input(.key(key)))) } }
        return desk
    }

    private func wall(like model: DemoModel) -> Grid {
        var wall = WallModel(size: model.size, look: model.main.look, source: members.source)
        let screens = (1...members.clients).map { WallScreen(identity: WallIdentity(number: $0), state: model.state) }
        _ = wall.update(.changed(WallState(screens: screens)))
        for key in members.keys { _ = wall.update(.terminal(.input(.key(key)))) }
        return wall.view()
    }
}

extension ScreenLook {
    /// Without motion and without the time zone of the machine.
    static func fixture(_ colors: ColorMatcher = ColorMatcher(depth: .direct)) -> ScreenLook {
        ScreenLook(colors: colors, clock: .utc, hasMotion: false)
    }
}

/// The demo over a fixture: its tweaks are kept in memory.
struct FixtureDesk {
    fileprivate(set) var model: DemoModel
    let repository: TweakRepository
    private let config: DemoConfig
    private let time: Timestamp
    private let sources: [String: SourceCheck]

    fileprivate init(_ members: FixtureMembers, _ overrides: [String: EntryValue], size: Size, look: ScreenLook) {
        var current = members.first
        repository = TweakRepository(store: MemoryStore(overrides))
        config = DemoConfig(state: ConfigState(current), tweaks: repository)
        config.addShowcase()
        (time, sources) = (members.time, members.sources)
        var first = config.state(of: current)
        first.time = time
        model = DemoModel(size: size, look: look, state: first)
        _ = model.begin(with: members.source, after: nil)
        for document in members.changes {
            current.follow(current.snapshot.updated(with: document, from: members.source, at: time))
            show(current)
        }
        guard let problem = members.problem else { return }
        (current.status.problem, current.status.hasFailed) = (problem, true)
        show(current)
    }

    private mutating func show(_ current: ConfigState.Snapshot) { send(.changed(state(of: current))) }

    private func state(of current: ConfigState.Snapshot) -> DemoState {
        var state = config.state(of: current)
        state.time = time
        return state
    }

    /// Sends a message, and carries out what it leads to within the screen.
    mutating func send(_ message: DemoModel.Message) { perform(model.update(message)) }

    mutating func perform(_ effects: [DemoModel.Effect]) {
        for effect in effects {
            switch effect {
            case .tweak(let command):
                send(.tweaked(repository.perform(command), state(of: model.state.configuration)))
            case .work: send(.working)
            case .listSources: send(.recentSources(sources.keys.sorted()))
            case .check(let names):
                for name in names { if let check = sources[name] { send(.checked(name, check)) } }
            case .refresh, .open, .copy, .save, .request, .cancel, .edit, .follow, .createFile, .redraw, .quit: break
            }
        }
    }
}

extension SourceCheck {
    /// - Parameter value: the state, as in `{"state": "live", "detail": "2 keys", "namespaces": {"shop": 2}}`.
    fileprivate init(fixture value: EntryValue) {
        let members = value.members
        let text = { (name: String) in members?[name].flatMap { String(configValue: $0) } ?? "" }
        self.init(State(rawValue: text("state")) ?? .invalid, text("detail"))
        namespaces = (members?["namespaces"]?.members ?? EntryObject()).map { name, count in
            ServerInfo.Namespace(name: name, revision: 1, count: Int(configValue: count) ?? 0)
        }
    }
}

/// The members of a fixture as they were read.
private struct FixtureMembers: Sendable {
    /// The extent of a frame that goes to no terminal.
    var size = Size(columns: 80, rows: 24)
    private(set) var time = Timestamp(milliseconds: 0)
    private(set) var source = "config.json"
    private var document: ConfigDocument?
    private(set) var changes: [ConfigDocument] = []
    private var failure: String?
    private(set) var tweaks: [(key: String, value: EntryValue)] = []
    private(set) var sources: [String: SourceCheck] = [:]
    private(set) var clients = 4
    private(set) var keys: [Key] = []

    init(_ value: EntryValue) throws(ConfigError) {
        guard case .object(let members) = value else { throw ConfigError(.typeMismatch, "expected an object") }
        for (member, value) in members { try read(member, value) }
    }

    private mutating func read(_ member: String, _ value: EntryValue) throws(ConfigError) {
        switch (member, value) {
        case ("size", .array):
            let extent = value.elements(as: Int.self) ?? []
            guard extent.count == 2, extent.allSatisfy((1...1000).contains) else { break }
            return size = Size(columns: extent[0], rows: extent[1])
        case ("time", .string(let text)):
            if let time = Timestamp(text) { return self.time = time }
        case ("source", .string(let text)): return source = text
        case ("problem", .string(let text)): return failure = text
        case ("values", .object): return document = try Self.document(value)
        case ("changes", .array(let documents)): return changes = try documents.map(Self.document)
        case ("tweaks", .object(let overrides)): return tweaks = overrides.map { ($0.key, $0.value) }
        case ("clients", .integer(let count)):
            if (1...WallLayout.maximumScreens).contains(count) { return clients = count }
        case ("sources", .object(let checks)):
            for (name, check) in checks { sources[name] = SourceCheck(fixture: check) }
            return
        case ("keys", .array(let names)):
            let keys = names.map(Self.keys)
            if keys.allSatisfy({ !$0.isEmpty }) { return self.keys = Array(keys.joined()) }
        default: break
        }
        throw ConfigError(.typeMismatch, "\(member): expected \(Self.expectations[member] ?? Self.names)")
    }

    private static let expectations = [
        "size": "the columns and rows, such as [80, 24]", "time": "a time, such as \"2026-11-20T12:03:44Z\"",
        "source": "a string", "problem": "a string", "values": "an object", "tweaks": "an object",
        "changes": "an array of objects", "sources": "an object",
        "clients": "a number from 1 to \(WallLayout.maximumScreens)",
        "keys": "an array of keys and texts, such as [\"Down\", {\"type\": \"text\"}]",
    ]

    private static var names: String { "one of " + expectations.keys.sorted().joined(separator: ", ") }

    private static func document(_ value: EntryValue) throws(ConfigError) -> ConfigDocument {
        try ConfigDocument(json: Array(value.canonicalJSON.utf8), source: "config.json")
    }

    /// A key by its name, or the keys that type a text; none if it is neither.
    private static func keys(_ value: EntryValue) -> [Key] {
        switch value {
        case .string(let name): Key(name).map { [$0] } ?? []
        case .object(let members):
            members.count == 1 ? String(configValue: members["type"] ?? .null)?.map { Key.character($0) } ?? [] : []
        default: []
        }
    }

    /// The configuration before the changes.
    var first: ConfigState.Snapshot {
        var status = SourceStatus(source: source)
        status.phase = .streaming
        (status.modifiedAt, status.lastChangeAt) = (time, time)
        var snapshot = EntrySnapshot.empty
        if let document { snapshot = snapshot.updated(with: document, from: source, at: time).snapshot }
        return ConfigState.Snapshot(snapshot: snapshot, status: status)
    }

    var problem: ConfigError? { failure.map { ConfigError(.unreadable, $0, source: source) } }
}
