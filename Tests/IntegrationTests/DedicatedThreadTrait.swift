// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Runs each test of a suite as `onDedicatedThread` does, so that it may block.
struct DedicatedThreadTrait: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ThreadExecutor()) { try await function() }
    }
}

extension Trait where Self == DedicatedThreadTrait {
    /// Runs each test on a separate thread.
    static var dedicatedThread: Self { Self() }
}
