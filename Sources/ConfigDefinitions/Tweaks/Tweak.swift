// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Observing

/// A tweak on the screen, whatever its type: everything a row and an editor need, in stored form and as text.
public struct Tweak: Sendable, Identifiable {
    /// The tweak's name, the same at every launch.
    public let id: String
    /// Where it stands.
    public let place: TweakPlace
    /// What the row says.
    public let name: String
    /// How values are stored and shown; of an array's elements and an optional's content as well.
    public let form: ValueForm
    let address: TweakAddress
    let initialChanges: [ChangeSignal]
    private let declaredEditor: TweakEditor
    private let initial: @Sendable (_ snapshot: ConfigSources?) -> EntryValue
    // The repository keeps its tweaks.
    private weak let repository: TweakRepository?

    init<Value>(_ definition: TweakDefinition<Value>, in repository: TweakRepository) {
        id = definition.id
        place = definition.place
        name = definition.name
        declaredEditor = definition.editor
        form = definition.converter.form
        address = definition.address
        initialChanges = definition.initialChanges
        initial = { definition.converter.json(of: definition.initial($0)) }
        self.repository = repository
    }
}

extension Tweak {
    /// How it is edited, where ``TweakEditor/automatic`` stands for what fits the initial value of this moment.
    public var editor: TweakEditor { editor() }

    /// How a value is edited, whose parts may be of other kinds than those of the initial value.
    public func editor(of value: EntryValue? = nil) -> TweakEditor {
        guard declaredEditor.isAutomatic else { return declaredEditor }
        return declaredEditor.fitting([initialValue] + [value].compactMap(\.self), form: form)
    }

    /// The value without an override, at this moment.
    public var initialValue: EntryValue { initial(nil) }

    /// The value without an override in a snapshot of the sources of definitions (``ConfigSources/snapshot()``).
    public func initialValue(in snapshot: ConfigSources) -> EntryValue { initial(snapshot) }

    /// The stored override of a tweak at one moment.
    public struct Reading: Hashable, Sendable {
        /// The override, if there is one that can be used.
        public var override: EntryValue?
        /// Why the override that is stored cannot be used, such as one from another version of the program.
        public var problem: ConfigError?
    }

    /// The stored override now.
    public func reading() -> Reading { reading { store, key in store.value(forKey: key) } }

    /// - Parameter value: reads the value of a key of a store.
    func reading(by value: (any KeyValueStore, _ key: String) -> EntryValue?) -> Reading {
        guard let stored = repository?.storedOverride(at: address, by: value) else { return Reading() }
        return Reading(override: form.normalized(stored), problem: form.problem(with: stored))
    }

    /// The override, if there is one that can be used.
    public var override: EntryValue? { reading().override }

    /// Whether there is an override that can be used.
    public var hasOverride: Bool { override != nil }

    /// Why the override that is stored cannot be used.
    public var problem: ConfigError? { reading().problem }

    /// The override, or the initial value.
    public var value: EntryValue { override ?? initialValue }

    /// The value in a few words.
    public var preview: String { preview(of: value) }

    /// The initial value in a few words.
    public var initialPreview: String { preview(of: initialValue) }

    /// The value as a person edits it.
    public var text: String { form.text(of: value) }

    /// Reads what a person has typed.
    ///
    /// - Throws: an error that says what was expected, also for what the editor does not offer.
    public func parse(_ text: String) throws(ConfigError) -> EntryValue {
        try checked(try form.json(ofText: text))
    }

    /// Overrides with a value in stored form.
    ///
    /// - Parameters:
    ///   - value: the override, as it is stored.
    ///   - isContinuing: whether this goes on with the last edit, as a slider does that is being dragged, so that one undo
    ///     takes both back.
    /// - Throws: an error that says what was expected, or why the override cannot be kept.
    public func set(_ value: EntryValue, isContinuing: Bool = false) throws(ConfigError) {
        guard let normalized = form.normalized(value) else { throw form.mismatch(value).naming(key: id) }
        try repository?.edit([id: try checked(normalized)], isContinuing: isContinuing)
    }

    /// Overrides with what a person has typed.
    public func set(text: String) throws(ConfigError) { try set(try parse(text)) }

    /// Removes the override.
    public func reset() throws(ConfigError) { try repository?.edit([id: nil]) }

    /// A value in a few words: the name of an option, or the value itself.
    public func preview(of json: EntryValue) -> String { editor(of: json).preview(of: json, form: form) }

    private func checked(_ json: EntryValue) throws(ConfigError) -> EntryValue {
        // An editor that was made to fit some values does not limit the others.
        if let problem = declaredEditor.problem(with: json) { throw ConfigError(.typeMismatch, problem, key: id) }
        return json
    }
}
