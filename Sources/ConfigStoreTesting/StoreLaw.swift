// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigStore

/// A place for a store under test, empty at first, in which the store can be opened again.
public protocol StorePlace: Sendable {
    /// Opens the store, with everything that was committed before it was closed.
    ///
    /// - Parameter now: the clock of the store.
    func open(now: @escaping @Sendable () -> Timestamp) async throws -> any EntryStore

    /// Closes a store that was opened by ``open(now:)``.
    func close(_ store: any EntryStore) async throws
}

/// A requirement that every `EntryStore` must meet, with its test.
///
/// The author of a store runs all of them in a test, each in a new place:
///
/// ```swift
/// import Testing
///
/// struct StoreTests {
///     @Test(arguments: StoreLaw.all) func keeps(_ law: StoreLaw) async throws {
///         try await law.check(in: MyPlace())
///     }
/// }
/// ```
public struct StoreLaw: Sendable, CustomStringConvertible {
    /// The requirement, in a phrase.
    public let description: String
    private let body: @Sendable (Bench) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (Bench) async throws -> Void) {
        (self.description, self.body) = (description, body)
    }

    /// Records an issue in the running test for each violation.
    ///
    /// - Parameter place: an empty place, which is used up.
    public func check(in place: some StorePlace) async throws {
        let bench = try await Bench(place: place)
        try await body(bench)
        try await place.close(bench.store)
    }

    /// All laws.
    public static let all = [model] + batchLaws + entryLaws + schemaLaws + draftLaws
}
