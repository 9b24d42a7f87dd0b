// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Observing

/// Overrides with the value set on the tweaks screen, which has a row once the definition is added to a repository.
struct TweakLink<Value: Equatable & Sendable>: ConfigLink {
    let tweak: TweakDefinition<Value>
    /// Whether the editor is that of the type, and not one that was named: only then the limits choose another.
    let isEditorOfType: Bool

    var name: String { "tweak \(tweak.category) › \(tweak.section) › \(tweak.name)" }

    func answer(from inputs: LinkInputs) throws(ConfigError) -> Override<Value> {
        guard let tweaks = inputs.tweaks else { return .noOverride }
        // Read by a definition, the repository is not observed: the definition is.
        let stored = inputs.value(forKey: tweak.address.key, in: tweaks.store(of: tweak.address))
        return try tweak.converter.override(stored, key: tweak.address.key)
    }

    func changes(in inputs: LinkInputs) -> [ChangeSignal] {
        [inputs.tweaks?.changes(at: tweak.address)].compactMap(\.self)
    }

    func join(_ definition: ConfigDefinition<Value>, at index: Int, in inputs: LinkInputs) {
        // The initial value is the current result of the links below. The tweaks are left out of their inputs, since they
        // retain this closure.
        var lower = inputs
        lower.tweaks = nil
        let below = lower
        var tweak = tweak
        tweak.converter = tweak.converter.limited(by: definition.limits)
        if isEditorOfType { for limit in definition.limits { tweak.editor = limit.editor(tweak.editor) } }
        tweak.initialChanges = definition.changes(in: below, below: index)
        tweak.initial = { snapshot in
            var inputs = snapshot ?? below
            inputs.tweaks = nil
            return definition.value(from: inputs, below: index)
        }
        inputs.tweaks?.add(tweak)
    }
}

extension ConfigDefinition where Value: Codable {
    /// Overrides with the value set on the tweaks screen.
    ///
    /// The result of the links added before this one is the tweak's initial value; see ``TweakDefinition`` for the rest.
    ///
    /// - Parameters:
    ///   - category: the category of the tweak's row.
    ///   - section: the section of the category.
    ///   - name: the label of the row.
    ///   - editor: the editor; by default that of the value's type or of the definition's limits: a slider for a range of
    ///     numbers, a list for options.
    ///   - namespace: the namespace in the persistent store, or `nil` for memory, as of a ``TweakDefinition``.
    public func tweak(
        category: String,
        section: String,
        name: String,
        editor: TweakEditor? = nil,
        namespace: String? = "default"
    ) -> ConfigDefinition {
        let tweak = TweakDefinition<Value>(
            id,
            category: category,
            section: section,
            name: name,
            editor: editor ?? (Value.self as? any ConfigStorable.Type)?.tweakEditor ?? .automatic,
            namespace: namespace,
            converter: .automatic
        ) { defaultValue }
        return link(TweakLink(tweak: tweak, isEditorOfType: editor == nil), reading: .values)
    }
}
