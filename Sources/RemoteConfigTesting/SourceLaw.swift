// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
public import RemoteConfig

/// A requirement that every `ConfigSource` must meet, with its check.
///
/// The author of a source checks all of them in a test, for a readable source that does not change:
///
/// ```swift
/// struct MySourceTests {
///     @Test(arguments: SourceLaw.all) func keeps(_ law: SourceLaw) async {
///         #expect(await law.violation { FileSource(path: "/etc/app/config.json") } == nil)
///     }
/// }
/// ```
public struct SourceLaw: Sendable, CustomStringConvertible {
    /// The requirement, in a phrase.
    public let description: String
    private let check: @Sendable (_ make: Maker) async throws -> String?

    /// Makes a source under test.
    public typealias Maker = @Sendable () async throws -> any ConfigSource

    /// The violation of the requirement, in a sentence; `nil` if there is none.
    ///
    /// - Parameter make: Makes the source, each time for the same place.
    public func violation(_ make: @escaping Maker) async -> String? {
        do {
            return try await check(make)
        } catch {
            return "cannot create or read the source: \(error)"
        }
    }

    /// All laws.
    public static let all = [
        SourceLaw(description: "two sources of one place have the same name and identity", check: identity),
        SourceLaw(description: "the first read returns everything", check: wholeReading),
        SourceLaw(description: "a second read returns no changes", check: secondReading),
        SourceLaw(description: "two sources of one place have the same values", check: sameValues),
        SourceLaw(description: "following ends when its task is cancelled", check: followingEnds),
    ]

    private static let identity: @Sendable (Maker) async throws -> String? = { make in
        let (one, other) = try await (make(), make())
        if one.name.isEmpty || one.identity.isEmpty { return "the name or the identity is empty" }
        return one.identity == other.identity && one.name == other.name
            ? nil : "two sources of one place have different names or identities, so neither finds the other's cache"
    }

    private static let wholeReading: @Sendable (Maker) async throws -> String? = { make in
        let source = try await make()
        // Layers are read by the service.
        if !source.layers.isEmpty { return nil }
        switch try await source.read().content {
        case .unchanged: return "the first read returned `unchanged`"
        case .changes, .edit: return "the first read returned only changes"
        case .document, .entries, .layers, .snapshot: return nil
        }
    }

    private static let secondReading: @Sendable (Maker) async throws -> String? = { make in
        let (service, clock) = service(of: try await make())
        return try await clock.passing {
            try await service.refresh()
            let outcome = await service.refreshOutcome()
            return outcome == .unchanged ? nil : "a second read of an unchanged source returned \(outcome)"
        }
    }

    private static let sameValues: @Sendable (Maker) async throws -> String? = { make in
        var values: [[String: EntryValue]] = []
        for _ in 0..<2 {
            let (service, clock) = service(of: try await make())
            try await clock.passing { _ = try await service.refresh() }
            values.append(service.state.current.snapshot.entries.mapValues(\.value))
        }
        return values[0] == values[1] ? nil : "two sources of one place have different values"
    }

    private static let followingEnds: @Sendable (Maker) async throws -> String? = { make in
        let source = try await make()
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let following = Task {
            do { try await source.follow(after: SourcePosition()) { _ in } } catch { /* The end is what counts. */  }
            end.yield(true)
        }
        let limit = Task {
            try await Task.sleep(for: .seconds(20))
            end.yield(false)
        }
        defer { limit.cancel() }
        following.cancel()
        for await hasEnded in ends {
            return hasEnded ? nil : "following did not end within 20 s of the cancellation of its task"
        }
        return nil
    }

    private static func service(of source: any ConfigSource) -> (RemoteConfigService, TestClock) {
        let clock = TestClock()
        return (RemoteConfigService(source: source, clock: clock), clock)
    }
}
