internal import ConfigModel
internal import Observing

/// Overrides with what a local store has under a key; a key that is absent overrides nothing, also not with nil.
struct StoredLink<Value: Equatable & Sendable>: ConfigLink {
    let key: String
    let store: (any KeyValueStore)?
    let converter: ValueConverter<Value>

    var name: String { "stored \(key)" }

    func answer(from sources: ConfigSources) throws(ConfigError) -> Override<Value> {
        guard let json = (store ?? sources.store)?.value(forKey: key) else { return .none }
        do throws(ConfigError) {
            return .value(try converter.value(of: json))
        } catch {
            throw error.naming(key: key)
        }
    }

    func changes(in sources: ConfigSources) -> [ChangeSignal] {
        [(store ?? sources.store)?.changes(ofKey: key)].compactMap(\.self)
    }
}

extension ConfigDefinition {
    /// Overrides with what the local store has under a key.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - store: the store; without it, that of the sources.
    public func stored(key: String, in store: (any KeyValueStore)? = nil) -> ConfigDefinition
    where Value: ConfigStorable {
        stored(key: key, in: store, as: Value.configConverter)
    }

    /// Overrides with what the local store has under a key, for a type that does not say how it is stored.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - store: the store; without it, that of the sources.
    ///   - converter: how values are stored.
    public func stored(
        key: String,
        in store: (any KeyValueStore)? = nil,
        as converter: ValueConverter<Value>
    ) -> ConfigDefinition {
        link(StoredLink(key: key, store: store, converter: converter))
    }
}
