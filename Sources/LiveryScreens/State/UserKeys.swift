// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
import Files
import Programs
import TerminalUI

/// The keys that the user has bound to commands, by the names of these.
package struct UserKeys: Hashable, Sendable {
    private(set) var bindings: [String: [Key]] = [:]

    /// No keys but the standard ones.
    package static let none = UserKeys()

    /// The keys of a command: the user's, or the standard ones without the keys that the user has bound to something else.
    func keys(for name: String, standard: [Key]) -> [Key] {
        if bindings.isEmpty { return standard }
        return bindings[name] ?? standard.filter { key in !bindings.values.contains { $0.contains(key) } }
    }
}

extension UserKeys {
    /// The keys that quit, but for Ctrl-C, which quits wherever it is pressed.
    var leave: [Key] { keys(for: "quit", standard: [.character("q")]).filter { $0 != .interrupt } }
    /// The keys that close what is open.
    var close: [Key] { keys(for: "close", standard: [Key(.escape)]) }
    /// The keys that show the help.
    var help: [Key] { keys(for: "help", standard: [.character("?"), Key(.function(1))]) }
    /// The keys that show the help: `?` does not while it is typed into a field.
    func help(isTyping: Bool) -> [Key] { isTyping ? help.filter { $0.code != .character("?") } : help }

    /// The command of a panel that shows the help. Its hint stays where room is short.
    func helpCommand<Command>(_ command: Command, isTyping: Bool = false) -> ScreenCommand<Command> {
        var declaration = ScreenCommand(command, help(isTyping: isTyping), hint: "Help")
        declaration.keepsHint = true
        return declaration
    }
}

// The keys of drafts on every screen.
extension UserKeys {
    static let stage = Key(.character("n"), .control)
    static let discard = Key(.character("x"), .control)
}

extension Key {
    /// Ctrl-C.
    static let interrupt = Key(.character("c"), .control)
}

extension UserKeys {
    /// The bindings of the user's file `$XDG_CONFIG_HOME/livery/keys.json`, if there is one.
    ///
    /// - Parameter commands: the names of the commands that can be bound.
    /// - Throws: `unreadable` if the file cannot be read, or the first error in it.
    static func ofUser(environment: [String: String], commands: [String]) throws(ConfigError) -> UserKeys {
        let path = UserFolder.settings.path(to: "keys.json", environment: environment)
        let content: FileContent
        do throws(FileError) {
            content = try FileContent(reading: path, atMost: ConfigDocument.maximumBytes)
        } catch {
            if error.isMissing { return .none }
            throw ConfigError(.unreadable, "cannot read the file: \(error.reason)", source: path)
        }
        return try UserKeys(try ConfigDocument(json: content.bytes, source: path), source: path, commands: commands)
    }

    /// The bindings of a document such as `{"refresh": ["r", "F5"], "quit": "x"}`. Commands that it does not name lose
    /// only the keys that it binds to others, so that it stays valid when a later version binds more keys.
    package init(_ document: ConfigDocument, source: String, commands: [String]) throws(ConfigError) {
        for (name, entry) in document.entries {
            let error = { (message: String) in
                ConfigError(.typeMismatch, message, source: source, location: entry.location, key: name)
            }
            guard commands.contains(name) else {
                throw error("unknown action; expected one of \(commands.joined(separator: ", "))")
            }
            guard
                let texts = String(configValue: entry.value).map({ [$0] }) ?? entry.value.elements(as: String.self)
            else { throw error("expected a key or an array of keys") }
            bindings[name] = []
            for text in texts {
                guard let key = Key(text) else {
                    throw error("unknown key \"\(text)\"; expected a key such as q, Enter, Ctrl-R or F5")
                }
                bindings[name]?.append(key)
            }
        }
        for key in Set(bindings.values.joined()) {
            let names = bindings.filter { $0.value.contains(key) }.keys.sorted()
            guard names.count > 1 else { continue }
            let message = "the key \(key) is bound to \(names.joined(separator: " and "))"
            let place = names.compactMap { document.entries[$0]?.location }.max()
            throw ConfigError(.duplicateKey, message, source: source, location: place)
        }
    }
}

/// How screens are shown: the terminal's abilities, and the user's preferences.
struct ScreenLook: Sendable {
    var colors: ColorMatcher
    var repertoire = GlyphRepertoire.unicode
    var clock = ClockFormat.local
    var keys = UserKeys.none
    /// Whether fades are enabled.
    var hasMotion = true

    var hasColors: Bool { colors.depth != .monochrome }
    /// Whether the background can fade.
    var canFade: Bool { hasMotion && colors.depth == .direct }
}
