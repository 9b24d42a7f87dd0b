internal import ConfigModel
internal import Observing

/// Overrides with what a configuration reader has under a key.
struct ReaderLink<Value: ReaderValue>: ConfigLink {
    let kind: String
    let key: ReaderKey
    let source: ReaderSource?
    let common: @Sendable (ConfigSources) -> ReaderSource?

    var name: String { "\(kind) \(key.text)" }

    func answer(from sources: ConfigSources) throws(ConfigError) -> Override<Value> {
        guard let source = source ?? common(sources) else { return .none }
        do throws(ConfigError) {
            return try Value.read(key, from: source)
        } catch {
            throw error.naming(key: key.text)
        }
    }

    func problem(in sources: ConfigSources) -> ConfigError? {
        (source ?? common(sources))?.problem(at: key, expecting: Value.readerTypeName)?.naming(key: key.text)
    }

    func changes(in sources: ConfigSources) -> [ChangeSignal] {
        guard let source = source ?? common(sources) else { return [] }
        return Value.readerKinds.map { source.changes(ofKey: key, as: $0) }
    }
}

extension ConfigDefinition where Value: ReaderValue {
    /// Overrides with what the remote configuration has under a key.
    ///
    /// - Parameters:
    ///   - key: the dotted key.
    ///   - source: the reader; without it, that of the sources.
    public func remote(_ key: String, in source: ReaderSource? = nil) -> ConfigDefinition {
        link(ReaderLink<Value>(kind: "remote", key: ReaderKey(key), source: source) { $0.remote })
    }

    /// Overrides with an environment variable.
    ///
    /// - Parameters:
    ///   - key: the dotted key, whose variable is written in capitals: `app.title` is `APP_TITLE`.
    ///   - source: the reader; without it, that of the sources.
    public func environment(_ key: String, in source: ReaderSource? = nil) -> ConfigDefinition {
        link(ReaderLink<Value>(kind: "environment", key: ReaderKey(key), source: source) { $0.environment })
    }
}
