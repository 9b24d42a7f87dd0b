import ConfigModel
import Files
import Foundation
import RemoteConfig
import TerminalUI

extension KeyMap {
    /// The standard keys, changed by the user's file `$XDG_CONFIG_HOME/livery/keys.json`, if there is one.
    ///
    /// - Throws: ``ConfigError`` with the place of an unknown action, an unknown key, or a key that is bound twice.
    static func forUser(environment: [String: String]) throws(ConfigError) -> KeyMap {
        let path = UserFolder.settings.path(to: "keys.json", environment: environment)
        guard let data = FileManager.default.contents(atPath: path) else { return .standard }
        let document = try ConfigDocument(json: Array(data), source: path)
        return try KeyMap.standard.changed(by: document, source: path)
    }

    /// These keys, where the document replaces the keys of the actions that it names.
    ///
    /// ```json
    /// { "refresh": ["r", "F5"], "quit": "x" }
    /// ```
    func changed(by document: ConfigDocument, source: String) throws(ConfigError) -> KeyMap {
        var map = self
        for (name, entry) in document.entries.sorted(by: { $0.value.location < $1.value.location }) {
            let error = { (message: String) in
                ConfigError(.typeMismatch, message, source: source, location: entry.location, key: name)
            }
            guard let action = Action(rawValue: name) else {
                let known = Action.allCases.map(\.rawValue).joined(separator: ", ")
                throw error("unknown action; expected one of \(known)")
            }
            map.bindings.removeAll { $0.action == action }
            for text in try Self.names(entry.value, error) {
                guard let key = Key(text) else {
                    throw error("\"\(text)\" is not a key such as q, Enter, Ctrl-R or F5")
                }
                map.bindings.append(Binding(key: key, action: action))
            }
        }
        try map.checkUnique(document, source: source)
        return map
    }

    private static func names(
        _ value: EntryValue,
        _ error: (String) -> ConfigError
    ) throws(ConfigError) -> [String] {
        switch value {
        case .string(let name): return [name]
        case .strings(let names): return names
        default: throw error("expected a key or an array of keys")
        }
    }

    private func checkUnique(_ document: ConfigDocument, source: String) throws(ConfigError) {
        for binding in bindings {
            let actions = Set(bindings.filter { $0.key == binding.key }.map(\.action.rawValue)).sorted()
            guard actions.count > 1 else { continue }
            let place = actions.compactMap { document.entries[$0]?.location }.max()
            throw ConfigError(
                .duplicateKey,
                "the key \(binding.key) is bound to \(actions.joined(separator: " and "))",
                source: source,
                location: place
            )
        }
    }
}
