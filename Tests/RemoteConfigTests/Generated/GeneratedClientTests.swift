// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Random courses of events: runs, users, activations, launches, publishes, and failures of files, network and disk.
///
/// A program never shows a state other than the model (``ClientModel``) allows, and shows the newest one after all failures
/// have ended.
@Suite(.timeLimit(.minutes(60)))
struct GeneratedClientTests {
    private static let stepsInCourse = 250
    /// `LIVERY_CLIENT_STEPS=100000` for a long run.
    private static let steps = number("LIVERY_CLIENT_STEPS") ?? 2000
    /// `LIVERY_CLIENT_SEED=7` for one course.
    private static let seeds = number("LIVERY_CLIENT_SEED").map { $0..<($0 + 1) } ?? 0..<(steps / stepsInCourse)

    private static func number(_ variable: String) -> Int? {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
    }

    @Test(arguments: seeds) func onlyPublishedStatesAreSeen(seed: Int) async throws {
        let course = try ClientCourse(seed: UInt64(seed))
        let fault = await course.run(Self.stepsInCourse)
        #expect(fault == nil, "seed \(seed): \(fault ?? "")")
    }
}
