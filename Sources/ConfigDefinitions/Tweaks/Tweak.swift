// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Observing

/// A tweak of any type on the screen: everything that a row and an editor need, in stored form and as text.
public struct Tweak: Sendable, Identifiable {
    /// The tweak's name, the same at every launch.
    public let id: String
    /// The category, which has its own page.
    public let category: String
    /// The section of the page.
    public let section: String
    /// The label of the row.
    public let name: String
    /// The stored form and display of values, including array elements and optional contents.
    package let form: ValueForm
    let address: TweakAddress
    let initialChanges: [ChangeSignal]
    private let declaredEditor: TweakEditor
    private let initial: @Sendable (_ snapshot: LinkInputs?) -> EntryValue
    // The repository keeps its tweaks.
    private weak let repository: TweakRepository?

    init<Value>(_ definition: TweakDefinition<Value>, in repository: TweakRepository) {
        id = definition.id
        category = definition.category
        section = definition.section
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
    /// How the tweak is edited; ``TweakEditor/automatic`` is replaced by the editor that fits the current initial value.
    public var editor: TweakEditor { editor() }

    /// The editor of a value, whose parts may have other types than those of the initial value.
    public func editor(of value: EntryValue? = nil) -> TweakEditor {
        guard declaredEditor.isAutomatic else { return declaredEditor }
        return declaredEditor.fitting([initialValue] + [value].compactMap(\.self), form: form)
    }

    /// The value without an override, at this moment.
    public var initialValue: EntryValue { initial(nil) }

    /// The value without an override in a snapshot of the inputs of definitions.
    package func initialValue(in snapshot: LinkInputs) -> EntryValue { initial(snapshot) }

    /// The stored override of a tweak at one moment.
    package struct Reading: Hashable, Sendable {
        /// The override, if there is one that can be used.
        package var override: EntryValue?
        /// The error of an unusable stored override, such as one from another version of the program.
        package var problem: ConfigError?
    }

    /// The stored override now, or in a snapshot of the inputs of definitions.
    package func reading(in snapshot: LinkInputs? = nil) -> Reading {
        guard let stored = repository?.storedOverride(at: address, in: snapshot) else { return Reading() }
        return Reading(override: form.normalized(stored), problem: form.problem(with: stored))
    }

    /// The override, if there is one that can be used.
    public var override: EntryValue? { reading().override }

    /// Whether there is an override that can be used.
    public var hasOverride: Bool { override != nil }

    /// The error of an unusable stored override.
    public var problem: ConfigError? { reading().problem }

    /// The override, or the initial value.
    public var value: EntryValue { override ?? initialValue }

    /// The value in a few words.
    public var preview: String { preview(of: value) }

    /// The initial value in a few words.
    public var initialPreview: String { preview(of: initialValue) }

    /// The value as a person edits it.
    public var text: String { form.text(of: value) }

    /// Parses input of the user.
    ///
    /// - Throws: an error with the expected format, also for values that the editor does not offer.
    public func parse(_ text: String) throws(ConfigError) -> EntryValue {
        try checked(try form.json(ofText: text))
    }

    /// Overrides with a value in stored form.
    ///
    /// - Parameters:
    ///   - value: the override, as it is stored.
    ///   - isContinuing: whether this continues the last edit, as when a slider is dragged, so that one undo reverts both.
    /// - Throws: an error with the expected format, or the reason why the override cannot be stored.
    public func set(_ value: EntryValue, isContinuing: Bool = false) throws(ConfigError) {
        guard let normalized = form.normalized(value) else { throw form.mismatch(value).naming(key: id) }
        try repository?.edit([ExactString(id): try checked(normalized)], isContinuing: isContinuing)
    }

    /// Overrides with input of the user.
    public func set(text: String) throws(ConfigError) { try set(try parse(text)) }

    /// Removes the override.
    public func reset() throws(ConfigError) { try repository?.edit([ExactString(id): nil]) }

    /// A value in a few words: the name of an option, or the value itself.
    public func preview(of json: EntryValue) -> String { editor(of: json).preview(of: json, form: form) }

    private func checked(_ json: EntryValue) throws(ConfigError) -> EntryValue {
        // An editor that was made to fit some values does not limit the others.
        if let problem = declaredEditor.problem(with: json) { throw ConfigError(.typeMismatch, problem, key: id) }
        return json
    }
}
