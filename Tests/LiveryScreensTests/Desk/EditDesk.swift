// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import TerminalUI

@testable import LiveryScreens

/// The program over an operator in memory, without a terminal: keys in, screen out.
struct EditDesk {
    private(set) var source: ScriptedOperator
    private var shownRevision: UInt64 = 0
    /// Reads other sources.
    var directory: SourceDirectory?
    var model: DemoModel
    /// The requests that wait for ``answer()``.
    private(set) var requests: [OperatorRequest] = []
    /// The work beside requests, such as copies.
    private(set) var effects: [DemoModel.Effect] = []
    /// The files that imports read.
    var files = ImportFiles()
    /// The last text for the user's editor.
    private(set) var external: ExternalEdit?

    /// - Parameter contents: the values, with the schemas and the rules of their keys.
    init(
        _ contents: NamespaceContents,
        columns: Int = 80,
        rows: Int = 24,
        depth: ColorDepth = .indexed256
    ) throws {
        source = ScriptedOperator(contents)
        let state = try Self.state(of: contents)
        model = DemoModel(
            size: Size(columns: columns, rows: rows),
            look: .test(depth),
            state: state,
            desk: DeskState(abilities: source.abilities)
        )
    }

    static let sample = NamespaceContents(
        values: [
            "app.background.color": "#FFB6C1", "app.limit": 20, "app.mode": "calm", "app.on": true,
            "app.tags": ["a", "b"],
        ],
        schemas: [
            "app.limit": ["type": "integer", "minimum": 1, "maximum": 100],
            "app.mode": ["enum": ["calm", "curious", "wild"]],
        ]
    )

    /// The inspector with the cursor on a key.
    static func inspecting(
        _ key: String,
        _ contents: NamespaceContents = sample,
        columns: Int = 80
    ) async throws -> EditDesk {
        var desk = try EditDesk(contents, columns: columns)
        try await desk.press("i", "/", "{\(key)}", "Enter")
        return desk
    }

    /// Values, one of which has a rule.
    static let targeted = NamespaceContents(
        values: ["app.color": "#FFB6C1", "app.on": true],
        rules: ["app.color": ["variants": ["blue": "#0000FF", "pink": "#FFB6C1"], "defaultVariant": "pink"]]
    )

    /// The program over these values and two later revisions.
    static func revised(columns: Int = 80, rows: Int = 24) throws -> EditDesk {
        let desk = try EditDesk(targeted, columns: columns, rows: rows)
        desk.source.write(ConfigDiff([KeyChange(key: "app.b", old: nil, new: 1)]), by: "ann")
        desk.source.write(ConfigDiff([KeyChange(key: "app.b", old: 1, new: 2)]), by: "ann")
        return desk
    }

    private static func state(of contents: NamespaceContents, after before: DemoState? = nil) throws -> DemoState {
        let document = JSONWriter.object { object in
            object.member("livery") { $0.number(1) }
            object.member("entries") { $0.values(contents.values.lazy.map { ($0.key, $0.value) }) }
            object.member("rules") { $0.values(contents.rules.lazy.map { ($0.key, $0.value) }) }
        }
        let next = try Demo.configuration(String(decoding: document, as: UTF8.self), after: before?.configuration)
        return try Demo.state(of: next, after: before)
    }

    /// The same program over a separate source in the same state.
    var copy: EditDesk {
        var desk = self
        desk.source = ScriptedOperator(copying: source)
        return desk
    }

    /// Presses keys, or types texts (``Key/named(_:)``), each after the answers to the one before.
    mutating func press(_ names: String...) async throws {
        for name in names {
            send(name)
            try await answer()
        }
    }

    /// Presses a key, or types a text, and leaves its requests without an answer.
    mutating func send(_ name: String) {
        for key in Key.named(name) { send(.input(.key(key))) }
    }

    /// - Parameter moment: its time; `nil` after a pause.
    mutating func send(_ event: TerminalEvent, at moment: ContinuousClock.Instant? = nil) {
        perform(model.update(.terminal(event, at: moment)))
    }

    /// Reviews changes and publishes them.
    mutating func publish(_ changes: ConfigDiff) async throws {
        perform(model.perform(.toggle(.review(Proposal(title: "Publish", changes: changes)))))
        // An update begins the check.
        perform(model.update(.working))
        try await answer()
        try await press("y")
    }

    mutating func click(_ text: String) { perform(model.click(text)) }

    /// Ends the user's editor.
    mutating func endEditor(_ result: Result<String, ConfigError>) async throws {
        guard let external = external.take() else { return }
        perform(model.update(.edited(ExternalEdit.Outcome(key: external.key, result: result))))
        try await answer()
    }

    private mutating func perform(_ effects: [DemoModel.Effect]) {
        for effect in effects {
            switch effect {
            case .request(let request): requests.append(request)
            case .cancel(let request): requests.removeAll { $0 == request }
            case .edit(let edit): external = edit
            case .work: perform(model.update(.working))
            default: self.effects.append(effect)
            }
        }
    }

    /// Answers all requests, and shows the values as they are then if there is another revision.
    mutating func answer() async throws {
        while !requests.isEmpty {
            let answer = await source.answer(requests.removeFirst(), with: directory?.contents, files)
            perform(model.update(.answered(answer)))
        }
        let current = source.current
        guard current.revision != shownRevision else { return }
        shownRevision = current.revision
        perform(model.update(.changed(try Self.state(of: current.contents, after: model.state))))
    }

    /// The screen as one text.
    var screen: String { model.lines.joined(separator: "\n") }
    var selectedRow: String { model.lines.first { $0.contains("▌") } ?? "" }
    /// The kind of the panel on top.
    var top: PanelKind? { model.panels.last?.kind }
    /// The changes of the proposal under review.
    var reviewed: ConfigDiff? { if case .review(let proposal)? = top { proposal.changes } else { nil } }
    var review: ReviewScreen? { model.panels.last as? ReviewScreen }
    var values: [String: EntryValue] { source.current.contents.values }
    /// The number of writes.
    var writes: Int { source.current.messages.count }
}
