import TerminalUI

/// What a key can make the demo do.
enum Action: String, CaseIterable, Hashable, Sendable {
    case open, copy, refresh, inspect, tweak, help, quit, close
    case scrollUp, scrollDown, pageUp, pageDown

    /// A word for the status line.
    var title: String {
        switch self {
        case .open: "Open"
        case .copy: "Copy"
        case .refresh: "Refresh"
        case .inspect: "Inspect"
        case .tweak: "Tweaks"
        case .help: "Help"
        case .quit: "Quit"
        case .close: "Close"
        case .scrollUp, .scrollDown, .pageUp, .pageDown: "Scroll"
        }
    }

    /// A sentence for the help.
    var explanation: String {
        switch self {
        case .open: "Open the URL (or click the button)"
        case .copy: "Copy the URL to the clipboard"
        case .refresh: "Read the source again now"
        case .inspect: "List every key with its value and origin"
        case .tweak: "Change values on the screen of tweaks"
        case .help: "Show these keys"
        case .quit: "Leave"
        case .close: "Close what is open, else leave"
        case .scrollUp: "Scroll up"
        case .scrollDown: "Scroll down"
        case .pageUp: "Scroll up by a page"
        case .pageDown: "Scroll down by a page"
        }
    }
}

/// Which key does what.
struct KeyMap: Hashable, Sendable {
    /// A key and its action.
    struct Binding: Hashable, Sendable {
        var key: Key
        var action: Action
    }

    /// The bindings; of several keys for one action, the first is the one that hints name.
    var bindings: [Binding]

    static let standard = KeyMap(bindings: [
        Binding(key: Key(.enter), action: .open),
        Binding(key: .character("c"), action: .copy),
        Binding(key: .character("r"), action: .refresh),
        Binding(key: .character("i"), action: .inspect),
        Binding(key: .character("t"), action: .tweak),
        Binding(key: .character("?"), action: .help),
        Binding(key: .character("q"), action: .quit),
        Binding(key: Key(.character("c"), .control), action: .quit),
        Binding(key: Key(.escape), action: .close),
        Binding(key: Key(.up), action: .scrollUp),
        Binding(key: .character("k"), action: .scrollUp),
        Binding(key: Key(.down), action: .scrollDown),
        Binding(key: .character("j"), action: .scrollDown),
        Binding(key: Key(.pageUp), action: .pageUp),
        Binding(key: Key(.pageDown), action: .pageDown),
        Binding(key: .character(" "), action: .pageDown),
    ])

    func action(for key: Key) -> Action? {
        bindings.first { $0.key == key }?.action
    }

    func keys(for action: Action) -> [Key] {
        bindings.filter { $0.action == action }.map(\.key)
    }

    /// A key and a word, such as `r Refresh`; empty if no key does it.
    func hint(for action: Action) -> String {
        keys(for: action).first.map { "\($0) \(action.title)" } ?? ""
    }
}
