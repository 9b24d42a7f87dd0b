/// Where a tweak or an action stands on the screen.
public struct TweakPlace: Hashable, Sendable {
    /// The category, which is a page of its own.
    public var category: String
    /// The section of the page.
    public var section: String

    /// Creates a place.
    public init(category: String, section: String) {
        self.category = category
        self.section = section
    }
}

/// A row that runs a closure.
public struct TweakAction: Sendable, Identifiable {
    /// The action's name, the same at every launch.
    public let id: String
    /// Where it stands.
    public let place: TweakPlace
    /// What the row says.
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
        place = TweakPlace(category: category, section: section)
        self.name = name
        self.body = body
    }

    /// Runs the closure.
    public func perform() async { await body() }
}
