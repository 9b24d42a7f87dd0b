// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import RemoteConfig

struct StagingTests {
    private var current = ConfigState.Snapshot(snapshot: .empty, status: SourceStatus(source: "test"))
    private var rules = RuleEvaluator(in: nil)

    private mutating func take(_ values: KeyValuePairs<String, EntryValue>, _ staging: inout Staging) throws -> [String]
    {
        let fetched = try FetchedState(values, after: staging.fetched(besides: current.snapshot))
        return staging.take(fetched, in: &current, by: &rules)
    }

    private func shown(_ key: String) -> EntryValue? { current.snapshot.entries[key]?.value }

    @Test mutating func immediateActivationShowsFetchedValues() throws {
        var staging = Staging(.immediate, bundledDefault: nil)
        #expect(try take(["a": 1, "b": 1], &staging) == ["a", "b"])
        #expect(try take(["a": 2, "b": 1], &staging) == ["a"])
        #expect(shown("a") == 2 && staging.staged == nil && current.status.origin == .source)
    }

    @Test mutating func stagedValuesWaitForTheirActivation() throws {
        var staging = Staging(.onDemand, bundledDefault: nil)
        #expect(try take(["a": 1], &staging) == [])
        #expect(shown("a") == nil && current.status.hasStagedChanges)
        #expect(staging.fetched(besides: current.snapshot).entries["a"]?.value == 1)
        #expect(staging.activate(in: &current, modifiedAt: nil, at: .now) == ["a"])
        #expect(shown("a") == 1 && !current.status.hasStagedChanges)
        #expect(staging.activate(in: &current, modifiedAt: nil, at: .now) == nil)
    }

    @Test mutating func returnToTheShownValuesLeavesNothingStaged() throws {
        var staging = Staging(.onDemand, bundledDefault: nil)
        _ = try take(["a": 1], &staging)
        _ = staging.activate(in: &current, modifiedAt: nil, at: .now)
        _ = try take(["a": 2], &staging)
        #expect(staging.staged?.keys == ["a"])
        _ = try take(["a": 1], &staging)
        #expect(staging.staged == nil && !current.status.hasStagedChanges && shown("a") == 1)
    }

    @Test mutating func firstValuesOfAContextAreShownAtOnce() throws {
        var staging = Staging(.onDemand, bundledDefault: nil)
        _ = try take(["a": 1], &staging)
        staging.beginContext(after: .source)
        let launch = LaunchState(of: FakeSource(), layers: nil, cached: nil, now: .now)
        _ = staging.launch(launch, at: .now)
        #expect(try take(["a": 2], &staging) == ["a"])
        _ = try take(["a": 3], &staging)
        #expect(shown("a") == 2 && staging.staged?.keys == ["a"])
    }

    @Test mutating func nothingIsShownInAContextBeforeAnActivation() throws {
        var staging = Staging(.onDemand, bundledDefault: nil)
        staging.beginContext(after: .nothing)
        #expect(try take(["a": 2], &staging) == [])
        #expect(shown("a") == nil)
    }
}
