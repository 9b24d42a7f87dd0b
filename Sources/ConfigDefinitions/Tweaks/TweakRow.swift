// SPDX-License-Identifier: Apache-2.0

/// A row of the screen of tweaks, which a screen lists under its category and section.
public enum TweakRow: Sendable, Identifiable {
    /// A value to edit.
    case tweak(Tweak)
    /// A closure to run.
    case action(TweakAction)

    /// The id of the tweak or the action.
    public var id: String { label.id }

    /// The label of the row.
    public var name: String { label.name }

    /// The category, which has its own page.
    public var category: String { label.category }

    /// The section of the page.
    public var section: String { label.section }

    private var label: (id: String, name: String, category: String, section: String) {
        switch self {
        case .tweak(let tweak): (tweak.id, tweak.name, tweak.category, tweak.section)
        case .action(let action): (action.id, action.name, action.category, action.section)
        }
    }

    /// Whether the name, category, section or id contains each word of a text, in capitals or not.
    public func matches(_ text: String) -> Bool {
        let texts = [name, category, section, id].map { $0.lowercased() }
        return text.lowercased().split(separator: " ").allSatisfy { word in texts.contains { $0.contains(word) } }
    }

    /// The tweak, if it is one.
    public var tweak: Tweak? { if case .tweak(let tweak) = self { tweak } else { nil } }
}

/// A row that runs a closure.
public struct TweakAction: Sendable, Identifiable {
    /// The action's name, the same at every launch.
    public let id: String
    /// The category, which has its own page.
    public let category: String
    /// The section of the page.
    public let section: String
    /// The label of the row.
    public let name: String
    private let body: @Sendable () async -> Void

    /// Creates an action.
    public init(
        _ id: String,
        category: String,
        section: String,
        name: String,
        perform body: @escaping @Sendable () async -> Void
    ) {
        self.id = id
        self.category = category
        self.section = section
        self.name = name
        self.body = body
    }

    /// Runs the closure.
    public func perform() async { await body() }
}
