public import ConfigModel
public import ConfigStore

/// Where a store is kept, for the suite: a place that is empty at first and can be opened again.
public protocol StorePlace: Sendable {
    /// Opens the store that is kept here. What was committed before it was closed is there.
    ///
    /// - Parameter now: the clock that the store is to go by.
    func open(now: @escaping @Sendable () -> Timestamp) async throws -> any ConfigStore

    /// Closes a store that was opened here.
    func close(_ store: any ConfigStore) async throws
}

/// Something that every ``ConfigStore`` has to do, and how to find out whether one does.
///
/// A store's author runs all of them in a test of their own, each in a place of its own:
///
/// ```swift
/// @Test(arguments: StoreLaw.all)
/// func keeps(_ law: StoreLaw) async throws {
///     try await law.check(in: MyPlace())
/// }
/// ```
public struct StoreLaw: Sendable, CustomStringConvertible {
    /// What the store has to do, in a phrase.
    public let description: String
    private let body: @Sendable (Bench) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (Bench) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Records an issue in the running test for everything that the store does wrong.
    ///
    /// - Parameter place: an empty place, which is used up.
    public func check(in place: some StorePlace) async throws {
        let bench = try await Bench(place: place)
        try await body(bench)
        try await bench.close()
    }

    /// All laws.
    public static let all = commitLaws + conditionLaws + entryLaws + historyLaws + rollbackLaws + [model]
}
