import ConfigModel
import Configuration
import TestSupport

@testable import RemoteConfig

extension ConfigState {
    /// Takes over a document as a service would.
    func take(_ json: String) throws {
        let document = try ConfigDocument(json: Array(json.utf8), source: "config.json")
        var next = current
        next.snapshot =
            next.snapshot.updated(with: document, from: "config.json", at: Timestamp(milliseconds: 0)).snapshot
        replace(with: next)
    }

    /// A state that holds a document.
    static func holding(_ json: String) throws -> ConfigState {
        let state = ConfigState(source: "config.json")
        try state.take(json)
        return state
    }
}

extension RemoteConfigProvider {
    /// What is found under a key.
    func content(_ key: String, _ type: ConfigType) throws -> ConfigContent? {
        try value(forKey: AbsoluteConfigKey(ConfigKey(key)), type: type).value?.content
    }
}
