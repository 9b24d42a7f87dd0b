// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing

/// Random courses of programs, with every pair of features: all ways of reading agree with one model.
///
/// The features are those of ``ModelFeatures``; the test prints how often each pair of them occurred.
struct AgreementTests {
    private static let stepsInCourse = 40
    private static let defaultSteps = 2400
    /// `LIVERY_MODEL_STEPS=1000000` for a long run.
    private static let steps = number("LIVERY_MODEL_STEPS") ?? defaultSteps
    /// `LIVERY_MODEL_SEED=7` for one course.
    private static let seeds = number("LIVERY_MODEL_SEED").map { $0..<($0 + 1) } ?? 0..<(steps / stepsInCourse)

    private static func number(_ variable: String) -> Int? {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
    }

    private static func isImpossible(_ one: String, _ other: String) -> Bool {
        func isOf(_ prefixes: String...) -> Bool { prefixes.contains { one.hasPrefix($0) } }
        guard let way = ModelWay.allCases.first(where: { other == "way: \($0)" }) else {
            if other.hasPrefix("tweak: of") { return one == "type: any" || isOf("user: values") }
            return one == "run: refreshed" && other == "step: time"
        }
        if isOf("tweak: of"), way != .definition { return true }
        if way == .definition, one == "type: any" { return true }
        // What is made of the service for a user is a snapshot; the getters and subscripts have fixed types.
        if isOf("user: values") { return !way.isOfValues }
        if way == .observer { return one == "user: $current" || isOf("type: ") && one != "type: any" }
        if way.isSubscript { return isOf("type: ") && one != "type: any" }
        return way.isGetter && isOf("type: any", "type: struct", "type: [String: Int]")
    }

    @Test(.timeLimit(.minutes(5 + steps / 10_000))) func allWaysOfReadingAgree() async {
        let start = ContinuousClock.now
        let results = await withTaskGroup(of: [CourseResult].self) { group in
            for lane in 0..<2 {
                group.addTask {
                    var results: [CourseResult] = []
                    for seed in Self.seeds where seed % 2 == lane || Self.seeds.count == 1 {
                        if Self.seeds.count == 1, lane == 1 { break }
                        results.append(await CourseResult(seed: seed, Self.stepsInCourse))
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
        let faults = results.compactMap(\.fault)
        for fault in faults.prefix(5) { Issue.record(Comment(rawValue: fault)) }
        #expect(faults.count == 0, "courses with a difference")
        let missing = features.missing(except: Self.isImpossible)
        #expect(missing.isEmpty || Self.seeds.count < Self.defaultSteps / Self.stepsInCourse, "\(missing)")
    }
}

/// What a course showed.
private struct CourseResult: Sendable {
    var fault: String?
    var features = ModelFeatures()
    var readCount = 0

    init(seed: Int, _ steps: Int) async {
        let progress = Log<String>()
        self = await withTaskCancellationHandler {
            do {
                let course = try AgreementCourse(seed: UInt64(seed))
                let fault = try await course.run(steps, progress)
                return CourseResult(fault: fault, features: course.features, readCount: course.readCount)
            } catch {
                return CourseResult(fault: "\(error)")
            }
        } onCancel: {
            // The time limit of the test cancels a course that hangs.
            print("seed \(seed) hangs after: \(progress.entries.last ?? "the start")")
        }
        fault = fault.map { "seed \(seed): \($0)" }
    }

    private init(fault: String? = nil, features: ModelFeatures = ModelFeatures(), readCount: Int = 0) {
        (self.fault, self.features, self.readCount) = (fault, features, readCount)
    }
}
