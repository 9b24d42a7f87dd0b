// SPDX-License-Identifier: Apache-2.0

/// A row of the screen of tweaks.
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

/// A page of the screen of tweaks.
public struct TweakCategory: Sendable, Identifiable {
    /// The category's name.
    public let name: String
    /// The sections, in the order in which their first rows were added.
    public let sections: [TweakSection]

    /// The name.
    public var id: String { name }
}

/// A part of a page, under a title.
public struct TweakSection: Sendable, Identifiable {
    /// The section's name.
    public let name: String
    /// The rows, in the order in which they were added.
    public let rows: [TweakRow]

    /// The name.
    public var id: String { name }
}

extension TweakRepository {
    /// The pages with their sections and rows, each in the order in which it first came.
    public var categories: [TweakCategory] { Self.categories(of: rows) }

    /// The pages of the rows whose name, category, section or id contains each word of a text, in capitals or not.
    public func categories(matching text: String) -> [TweakCategory] {
        Self.categories(of: rows.filter { $0.matches(text) })
    }

    private static func categories(of rows: [TweakRow]) -> [TweakCategory] {
        grouped(rows, by: \.category).map { category, rows in
            let sections = grouped(rows, by: \.section).map { TweakSection(name: $0, rows: $1) }
            return TweakCategory(name: category, sections: sections)
        }
    }

    private static func grouped(_ rows: [TweakRow], by name: (TweakRow) -> String) -> [(String, [TweakRow])] {
        var order: [String] = []
        var groups: [String: [TweakRow]] = [:]
        for row in rows {
            let name = name(row)
            if groups[name] == nil { order.append(name) }
            groups[name, default: []].append(row)
        }
        return order.map { ($0, groups[$0] ?? []) }
    }
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
