// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
package import ConfigModel
import Programs
import RemoteConfig
package import TerminalUI

/// A screen that can be drawn from a fixture.
package enum ScreenName: String, CaseIterable, Sendable {
    case main, help, errors, log, inspector, tweaks, wall

    /// The action that opens it on the main screen.
    fileprivate var action: Action? {
        switch self {
        case .main, .wall: nil
        case .help: .help
        case .errors: .problems
        case .log: .log
        case .inspector: .inspect
        case .tweaks: .tweak
        }
    }
}

/// The contents of a screen, from a file: for tests and pictures, without a source and without a clock.
///
/// ```json
/// {
///   "size": [80, 24], "time": "2026-11-20T12:03:44Z", "source": "config.json",
///   "values": {"app.background.color": "#FFB6C1"},
///   "problem": "the file does not exist",
///   "tweaks": {"app.background.color": "#87CEFA"},
///   "clients": 4, "keys": ["Down", "Enter"]
/// }
/// ```
///
/// All of it may be left out. `clients` is for the wall, and `keys` are pressed on the open screen; requests for work
/// outside of the screen are ignored.
package struct ScreenFixture: Sendable {
    private let members: FixtureMembers
    private let state: DemoState

    /// Reads a fixture.
    ///
    /// - Parameter name: the name of the file, for errors.
    /// - Throws: an error that names the member that is wrong, and what was expected.
    package init(json: [UInt8], source name: String) throws(ConfigError) {
        do throws(ConfigError) {
            members = try FixtureMembers(try EntryValue(json: json))
            state = try members.state
        } catch {
            throw error.naming(source: name)
        }
    }
}

/// The members of a fixture as they were read.
private struct FixtureMembers: Sendable {
    /// The extent of a frame that goes to no terminal.
    var size = Size(columns: 80, rows: 24)
    private var time = Timestamp(milliseconds: 0)
    var source = "config.json"
    private var document: ConfigDocument?
    private var problem: String?
    private var tweaks: [(key: String, value: EntryValue)] = []
    var clients = 4
    var keys: [Key] = []

    init(_ value: EntryValue) throws(ConfigError) {
        guard case .object(let members) = value else { throw ConfigError(.typeMismatch, "expected an object") }
        for (member, value) in members { try read(member, value) }
    }

    private mutating func read(_ member: String, _ value: EntryValue) throws(ConfigError) {
        switch (member, value) {
        case ("size", .array(let extent)):
            let numbers = extent.compactMap { Int(configValue: $0) }
            guard extent.count == 2, numbers.count == 2, numbers.allSatisfy((1...1000).contains) else { break }
            size = Size(columns: numbers[0], rows: numbers[1])
            return
        case ("time", .string(let text)):
            guard let time = Timestamp(text) else { break }
            self.time = time
            return
        case ("source", .string(let text)): return source = text
        case ("problem", .string(let text)): return problem = text
        case ("values", .object):
            return document = try ConfigDocument(json: Array(value.canonicalJSON.utf8), source: "config.json")
        case ("tweaks", .object(let overrides)): return tweaks = overrides.map { ($0.key, $0.value) }
        case ("clients", .integer(let count)):
            guard (1...WallLayout.mostScreens).contains(count) else { break }
            return clients = count
        case ("keys", .array(let names)):
            let keys = names.compactMap { String(configValue: $0).flatMap { Key($0) } }
            guard keys.count == names.count else { break }
            self.keys = keys
            return
        default: break
        }
        throw ConfigError(.typeMismatch, "\(member): expected \(Self.expectations[member] ?? Self.names)")
    }

    private static let expectations = [
        "size": "columns and rows, such as [80, 24]", "time": "a time, such as \"2026-11-20T12:03:44Z\"",
        "source": "a text", "problem": "a text", "values": "an object", "tweaks": "an object",
        "clients": "a number from 1 to \(WallLayout.mostScreens)",
        "keys": "an array of keys, such as [\"Down\", \"Enter\"]",
    ]

    private static var names: String { "one of " + expectations.keys.sorted().joined(separator: ", ") }
}

extension ScreenFixture {
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
        let model = DemoModel(
            size: size ?? members.size,
            colors: colors,
            hasMotion: false,
            repertoire: repertoire,
            clock: .utc,
            state: state
        )
        return screen == .wall ? wall(like: model) : panels(of: model, open: screen)
    }

    private func panels(of first: DemoModel, open screen: ScreenName) -> Grid {
        var model = first
        if let action = screen.action { _ = model.perform(action) }
        for key in members.keys { _ = model.update(.terminal(.input(.key(key)))) }
        return model.view()
    }

    private func wall(like model: DemoModel) -> Grid {
        var wall = WallModel(
            size: model.size,
            colors: model.colors,
            repertoire: model.repertoire,
            clock: model.clock,
            source: members.source
        )
        let screens = (1...members.clients).map { WallScreen(identity: WallIdentity(number: $0), state: model.state) }
        _ = wall.update(.changed(WallState(screens: screens)))
        for key in members.keys { _ = wall.update(.terminal(.input(.key(key)))) }
        return wall.view()
    }
}

extension FixtureMembers {
    var state: DemoState {
        get throws(ConfigError) {
            var status = SyncStatus(source: source)
            status.phase = problem == nil ? .live : .error
            (status.modifiedAt, status.lastChangeAt) = (time, time)
            status.problem = problem.map { ConfigError(.unreadable, $0, source: source) }
            var snapshot = EntrySnapshot.empty
            if let document { snapshot = snapshot.updated(with: document, from: source, at: time).snapshot }
            let current = ConfigState.Current(snapshot: snapshot, status: status)
            let repository = TweakRepository()
            let config = DemoConfig(state: ConfigState(current), tweaks: repository)
            config.addShowcase()
            for (key, value) in tweaks {
                guard let tweak = repository.tweak(id: key) else {
                    throw ConfigError(.notFound, "tweaks: there is no tweak '\(key)'")
                }
                try tweak.set(text: String(configValue: value) ?? value.canonicalJSON)
            }
            let explanations = config.repository
            let read = { @Sendable in
                repository.rows.map { row in TweakItem(row) { explanations.explain(id: row.id) } }
            }
            return DemoState(
                configuration: current,
                time: time,
                values: config.values(in: snapshot),
                tweaks: TweakState(read: read, readKnown: read)
            )
        }
    }
}
