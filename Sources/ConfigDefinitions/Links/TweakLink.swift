internal import ConfigModel
internal import Observing

/// Overrides with what was set on the screen of tweaks, where the row appears once the definition is added to a repository.
struct TweakLink<Value: Equatable & Sendable>: ConfigLink {
    let id: String
    let place: TweakPlace
    let title: String
    let editor: TweakEditor
    let address: TweakAddress
    let converter: ValueConverter<Value>

    var name: String { "tweak \(place.category) › \(place.section) › \(title)" }

    func answer(from sources: ConfigSources) throws(ConfigError) -> Override<Value> {
        guard let tweaks = sources.tweaks else { return .none }
        return try tweaks.override(at: address, as: converter)
    }

    func changes(in sources: ConfigSources) -> [ChangeSignal] {
        [sources.tweaks?.changes(at: address)].compactMap(\.self)
    }

    func join(_ definition: ConfigDefinition<Value>, at index: Int, in sources: ConfigSources) {
        guard let tweaks = sources.tweaks else { return }
        // The initial value is what the links below say, at any moment. The tweaks are left out of their sources, since
        // they keep this closure.
        var lower = sources
        lower.tweaks = nil
        let below = lower
        let tweak = TweakDefinition(
            id,
            category: place.category,
            section: place.section,
            name: title,
            editor: editor,
            storage: address.storage,
            converter: converter,
            initialChanges: definition.changes(in: below, below: index)
        ) { definition.value(from: below, below: index) }
        tweaks.add(tweak)
    }
}

extension ConfigDefinition where Value: Tweakable {
    /// Overrides with what is set on the screen of tweaks, by the editor of the value's type.
    ///
    /// What the links added before this say is the tweak's initial value.
    ///
    /// - Parameters:
    ///   - category: the page.
    ///   - section: the section of the page.
    ///   - name: what the row says.
    public func tweak(category: String, section: String, name: String) -> ConfigDefinition {
        tweak(category: category, section: section, name: name, editor: Value.tweakEditor)
    }
}

extension ConfigDefinition where Value: ConfigStorable {
    /// Overrides with what is set on the screen of tweaks.
    ///
    /// - Parameters:
    ///   - category: the page.
    ///   - section: the section of the page.
    ///   - name: what the row says.
    ///   - editor: how it is edited.
    ///   - storage: where the override is kept.
    public func tweak(
        category: String,
        section: String,
        name: String,
        editor: TweakEditor,
        storage: TweakStorage = .persistent
    ) -> ConfigDefinition {
        link(
            TweakLink(
                id: id,
                place: TweakPlace(category: category, section: section),
                title: name,
                editor: editor,
                address: TweakAddress(id, storage),
                converter: Value.configConverter
            )
        )
    }
}
