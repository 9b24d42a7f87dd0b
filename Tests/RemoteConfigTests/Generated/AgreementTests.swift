// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing

/// Random courses of programs, with every pair of features: all ways of reading agree with one model.
///
/// The features are those of ``ModelFeatures``; the test prints how often each pair of them occurred.
@Suite(.timeLimit(.minutes(60)))
struct AgreementTests {
    private static let stepsInCourse = 40
    #if DEBUG
        private static let defaultSteps = 2000
    #else
        private static let defaultSteps = 10_000
    #endif
    /// `LIVERY_MODEL_STEPS=1000000` for a long run.
    private static let steps = number("LIVERY_MODEL_STEPS") ?? defaultSteps
    /// `LIVERY_MODEL_SEED=7` for one course.
    private static let seeds = number("LIVERY_MODEL_SEED").map { $0..<($0 + 1) } ?? 0..<(steps / stepsInCourse)

    private static func number(_ variable: String) -> Int? {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
    }

    @Test func allWaysOfReadingAgree() async throws {
        let folder = try TemporaryDirectory()
        let start = ContinuousClock.now
        let results = await withTaskGroup(of: [CourseResult].self) { group in
            for lane in 0..<2 {
                group.addTask {
                    var results: [CourseResult] = []
                    for seed in Self.seeds where seed % 2 == lane || Self.seeds.count == 1 {
                        if Self.seeds.count == 1, lane == 1 { break }
                        results.append(await CourseResult(seed: seed, Self.stepsInCourse, folder))
                    }
                    return results
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        var features = ModelFeatures()
        for result in results { features.add(result.features) }
        let time = start.duration(to: .now)
        let reads = results.map(\.readCount).reduce(0, +)
        print(features.matrix)
        print("\(Self.seeds.count * Self.stepsInCourse) steps, \(reads) reads, \(features.covered) pairs, \(time)")
        if ProcessInfo.processInfo.environment["MODEL_BRIEF"] != nil { for f in results.compactMap(\.fault) { print("BRIEF", f.prefix { $0 != "\n" }) } }
        let faults = results.compactMap(\.fault)
        for fault in faults.prefix(5) { Issue.record(Comment(rawValue: fault)) }
        #expect(faults.count == 0)
    }
}

/// What a course showed.
private struct CourseResult: Sendable {
    var fault: String?
    var features = ModelFeatures()
    var readCount = 0

    init(seed: Int, _ steps: Int, _ folder: TemporaryDirectory) async {
        let progress = Log<String>()
        self = await withTaskGroup(of: CourseResult?.self) { group in
            group.addTask {
                do {
                    let course = try AgreementCourse(seed: UInt64(seed), folder: folder)
                    let fault = try await course.run(steps, progress)
                    return CourseResult(fault: fault, features: course.features, readCount: course.readCount)
                } catch {
                    return CourseResult(fault: "\(error)")
                }
            }
            group.addTask {
                var count = -1
                while progress.entries.count > count, !Task.isCancelled {
                    count = progress.entries.count
                    // The end of the course cancels it.
                    try? await Task.sleep(for: .seconds(20))
                }
                return Task.isCancelled ? nil : CourseResult(fault: "no end of: \(progress.entries.last ?? "the start")")
            }
            defer { group.cancelAll() }
            for await case let result? in group { return result }
            return CourseResult()
        }
        fault = fault.map { "seed \(seed): \($0)" }
    }

    private init(fault: String? = nil, features: ModelFeatures = ModelFeatures(), readCount: Int = 0) {
        (self.fault, self.features, self.readCount) = (fault, features, readCount)
    }
}
