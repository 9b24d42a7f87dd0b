// SPDX-License-Identifier: Apache-2.0

/// A command of a screen, with its keys, its hint and its help.
public struct ScreenCommand<Command: Hashable & Sendable>: Hashable, Sendable {
    /// The action of the screen.
    public var command: Command
    /// The keys that carry it out; hints name the first one.
    public var keys: [Key]
    /// A word for the hint; empty if no hint names the command.
    public var hint: String
    /// The effect, for the help; empty if the help leaves the command out.
    public var help: String
    /// Whether the command has its effect now; the hint of one that only shows the reason why not is dimmed.
    public var isPossible: Bool
    /// Whether the hint stays longer than others where room is short, as for the help of the screen.
    public var keepsHint = false
    /// Whether it confirms a question: only its own keys and its hint carry it out, and no list of commands.
    public var isConfirmation = false

    /// Creates a command.
    public init(_ command: Command, _ keys: [Key], hint: String = "", help: String = "", isPossible: Bool = true) {
        (self.command, self.keys, self.hint, self.help, self.isPossible) = (command, keys, hint, help, isPossible)
    }
}

extension ScreenCommand {
    /// The command with the keys that reach it: while a field has the focus, keys that type go there.
    package func reached(whileTyping isTyping: Bool) -> Self {
        var command = self
        if isTyping { command.keys.removeAll(where: \.isTyped) }
        return command
    }

    /// A key and a word, such as `r Refresh`; empty if no key carries the command out.
    ///
    /// - Parameter isTyping: whether keys that type characters go elsewhere.
    public func hintText(isTyping: Bool = false) -> String {
        guard !hint.isEmpty else { return "" }
        return keys.first { !isTyping || !$0.isTyped }.map { "\($0) \(hint)" } ?? ""
    }

    /// The line of the help; `nil` if there is none.
    public var helpLine: ScreenHelp? {
        guard !help.isEmpty, let key = keys.first else { return nil }
        return ScreenHelp(keys.map(\.description).joined(separator: ", "), help, key: isConfirmation ? nil : key)
    }
}

/// A line of a screen's help.
public struct ScreenHelp: Hashable, Sendable {
    /// The keys or the use of the mouse, such as `PageUp, PageDown`.
    public var keys: String
    /// Their effect.
    public var text: String
    /// A key that has the effect: a click on the line presses it.
    public var key: Key?

    /// Creates a line.
    public init(_ keys: String, _ text: String, key: Key? = nil) {
        (self.keys, self.text, self.key) = (keys, text, key)
    }
}

extension Key {
    /// Whether the key types a character into a field.
    package var isTyped: Bool {
        if case .character = code { modifiers.isSubset(of: .shift) } else { false }
    }
}
