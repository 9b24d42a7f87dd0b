// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
import Files
import RemoteConfig
import TerminalUI

/// What a key can make the demo do.
enum Action: String, CaseIterable, Hashable, Sendable {
    case open, copy, refresh, inspect, problems, log, tweak, help, redraw, quit, close
    case scrollUp, scrollDown, pageUp, pageDown, scrollTop, scrollEnd, search

    /// A word for the status line, a sentence for the help, and the standard keys.
    var facts: (title: String, explanation: String, keys: [Key]) {
        switch self {
        case .open: ("Open", "Open the URL", [Key(.enter)])
        case .copy: ("Copy", "Copy the URL to the clipboard", [.character("c")])
        case .refresh: ("Refresh", "Read the source again now", [.character("r")])
        case .inspect: ("Inspect", "List every key with its value and origin", [.character("i")])
        case .problems: ("Errors", "Show everything that is wrong in full", [.character("e")])
        case .log: ("Log", "List what changed and what went wrong since the start", [.character("l")])
        case .tweak: ("Tweaks", "Change values on the screen of tweaks", [.character("t")])
        case .help: ("Help", "Show the keys of this screen", [.character("?"), Key(.function(1))])
        case .redraw: ("Redraw", "Redraw the screen", [Self.redrawKey])
        case .quit: ("Quit", "Leave", [.character("q"), Key(.character("c"), .control)])
        case .close: ("Close", "Close the open panel", [Key(.escape), .character("h")])
        case .scrollUp: ("Scroll", "Scroll up", [Key(.up), .character("k")])
        case .scrollDown: ("Scroll", "Scroll down", [Key(.down), .character("j")])
        case .pageUp: ("Scroll", "Scroll up by a page", [Key(.pageUp)])
        case .pageDown: ("Scroll", "Scroll down by a page", [Key(.pageDown), .character(" ")])
        case .scrollTop: ("Top", "Scroll to the first line", [.character("g"), Key(.home)])
        case .scrollEnd: ("End", "Scroll to the last line", [.character("G"), Key(.end)])
        case .search: ("Search", "Search the open list", [.character("/")])
        }
    }
}

extension Action {
    /// The key that does the same in a list, whatever key the user has bound to the action.
    var listKey: Key? {
        switch self {
        case .scrollUp: Key(.up)
        case .scrollDown: Key(.down)
        case .pageUp: Key(.pageUp)
        case .pageDown: Key(.pageDown)
        case .scrollTop: Key(.home)
        case .scrollEnd: Key(.end)
        case .search: .character("/")
        default: nil
        }
    }

    private static let redrawKey = Key(.character("l"), .control)
}

/// Which key does what.
package struct KeyMap: Hashable, Sendable {
    struct Binding: Hashable, Sendable {
        var key: Key
        var action: Action
    }

    /// The bindings; of several keys for one action, the first is the one that hints name.
    var bindings: [Binding]

    static let standard = KeyMap(
        bindings: Action.allCases.flatMap { action in action.facts.keys.map { Binding(key: $0, action: action) } }
    )

    func action(for key: Key) -> Action? {
        bindings.first { $0.key == key }?.action
    }

    func keys(for action: Action) -> [Key] {
        bindings.filter { $0.action == action }.map(\.key)
    }

    /// How to find out which keys there are, for those who have pressed another one.
    var helpAdvice: String {
        keys(for: .help).first.map { "\($0) shows the keys" } ?? "the manual lists the keys"
    }

    /// A key and a word, such as `r Refresh`; empty if no key does it.
    ///
    /// - Parameter isTyping: whether keys that type characters go elsewhere.
    func hint(for action: Action, isTyping: Bool = false) -> String {
        keys(for: action).first { !isTyping || !$0.isTyped }.map { "\($0) \(action.facts.title)" } ?? ""
    }
}

extension Key {
    /// Whether the key types a character into a field.
    fileprivate var isTyped: Bool {
        if case .character = code { modifiers.isSubset(of: .shift) } else { false }
    }
}

extension KeyMap {
    /// The standard keys, changed by the user's file `$XDG_CONFIG_HOME/livery/keys.json`, if there is one.
    ///
    /// - Throws: `unreadable` if the file cannot be read, or the first error in it.
    package static func forUser(environment: [String: String]) throws(ConfigError) -> KeyMap {
        let path = UserFolder.settings.path(to: "keys.json", environment: environment)
        let content: FileContent
        do throws(FileError) {
            content = try FileContent(reading: path, atMost: ConfigDocument.maximumBytes)
        } catch {
            if error.isMissing { return .standard }
            throw ConfigError(.unreadable, "cannot be read: \(error.reason)", source: path)
        }
        let document = try ConfigDocument(json: content.bytes, source: path)
        return try KeyMap.standard.changed(by: document, source: path)
    }

    /// These keys, where a document such as `{"refresh": ["r", "F5"], "quit": "x"}` replaces those of the actions that
    /// it names, and takes them from those that it does not: a document stays good when a later version binds more keys.
    func changed(by document: ConfigDocument, source: String) throws(ConfigError) -> KeyMap {
        let isNamed = { (binding: Binding) in document.entries[binding.action.rawValue] != nil }
        var map = self
        for (name, entry) in document.entries {
            let error = { (message: String) in
                ConfigError(.typeMismatch, message, source: source, location: entry.location, key: name)
            }
            guard let action = Action(rawValue: name) else {
                let known = Action.allCases.map(\.rawValue).joined(separator: ", ")
                throw error("unknown action; expected one of \(known)")
            }
            guard
                let names = String(configValue: entry.value).map({ [$0] }) ?? [String](configValue: entry.value)
            else { throw error("expected a key or an array of keys") }
            map.bindings.removeAll { $0.action == action }
            for text in names {
                guard let key = Key(text) else {
                    throw error("\"\(text)\" is not a key such as q, Enter, Ctrl-R or F5")
                }
                map.bindings.append(Binding(key: key, action: action))
            }
        }
        let (named, others) = (map.bindings.filter(isNamed), map.bindings.filter { !isNamed($0) })
        map.bindings = others.filter { other in !named.contains { $0.key == other.key } } + named
        try map.checkUnique(document, source: source)
        return map
    }

    private func checkUnique(_ document: ConfigDocument, source: String) throws(ConfigError) {
        for binding in bindings {
            let actions = Set(bindings.filter { $0.key == binding.key }.map(\.action.rawValue)).sorted()
            guard actions.count > 1 else { continue }
            let message = "the key \(binding.key) is bound to \(actions.joined(separator: " and "))"
            let place = actions.compactMap { document.entries[$0]?.location }.max()
            throw ConfigError(.duplicateKey, message, source: source, location: place)
        }
    }
}
