public import Observing

/// A configuration value: its type, its default and the chain of places that may override it.
///
/// ```swift
/// let title = ConfigDefinition("app.fun_button.text", default: "Dogs are awesome!")
///     .remote("app.fun_button.text")
///     .when(.language("es"), return: "¡Los perros son geniales!")
///     .tweak(category: "Button", section: "Look", name: "Text")
///
/// config[title]
/// ```
///
/// The link that was added last is asked first; the first that has an override wins, else the default.
/// A definition is a value: adding a link gives a new definition and leaves the old one as it was.
public struct ConfigDefinition<Value: Equatable & Sendable>: Sendable, Identifiable {
    /// The definition's name, the same at every launch, such as `app.background.color`.
    public let id: String
    /// The value where no link overrides it.
    public let defaultValue: Value
    /// Whether values are kept out of explanations.
    public let isSecret: Bool
    /// The links in the order in which they were added; the last is asked first.
    public private(set) var links: [any ConfigLink<Value>] = []

    /// Creates a definition without links.
    ///
    /// - Parameters:
    ///   - id: a name that no other definition has, and that never changes.
    ///   - defaultValue: the value where no link overrides it.
    ///   - isSecret: whether values are kept out of explanations.
    public init(_ id: String, default defaultValue: Value, isSecret: Bool = false) {
        self.id = id
        self.defaultValue = defaultValue
        self.isSecret = isSecret
    }

    /// The definition with a link of your own, which is asked before all others.
    public func link(_ link: some ConfigLink<Value>) -> ConfigDefinition {
        var definition = self
        definition.links.append(link)
        return definition
    }

    /// The value at this moment.
    public func value(from sources: ConfigSources) -> Value {
        value(from: sources, below: links.count)
    }

    /// What is sent whenever the value may have changed.
    public func changes(in sources: ConfigSources) -> [ChangeSignal] {
        changes(in: sources, below: links.count)
    }

    /// The value as if only the first links had been added.
    func value(from sources: ConfigSources, below count: Int) -> Value {
        var index = count
        while index > 0 {
            index -= 1
            // An explanation says what is wrong with a link's value; here the next link decides.
            if case .value(let value) = try? links[index].answer(from: sources) { return value }
        }
        return defaultValue
    }

    func changes(in sources: ConfigSources, below count: Int) -> [ChangeSignal] {
        var known: Set<ChangeSignal> = []
        return links.prefix(count).flatMap { $0.changes(in: sources) }.filter { known.insert($0).inserted }
    }
}
