// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TestSupport

/// One thing that is measured, from the first run to the table.
protocol Measurement: Sendable {
    func run() async throws -> Section
}

/// A measurement that blocks its thread.
protocol BlockingMeasurement: Measurement {
    func measure() throws -> Section
}

extension BlockingMeasurement {
    func run() async throws -> Section {
        try await onDedicatedThread { try measure() }
    }
}

/// The measurements, by the names that the command line has for them.
enum MeasurementName: String, CaseIterable, ExpressibleByArgument {
    case latency, start, size, idle, bytes, memory, micro, lookup, scale, definitions, rules, inspector

    case reads, evaluations, writes, schemas, answer, streams, stores, storm, million

    /// Whether the result depends on the machine.
    var isMeasured: Bool { self != .million }

    func measurement(_ effort: Effort, seed: UInt64) -> any Measurement {
        switch self {
        case .latency: LatencyMeasurement(changes: effort.count(1000))
        case .start: StartMeasurement(runs: effort.count(20))
        case .size: SizeMeasurement()
        case .idle: IdleMeasurement(settling: .seconds(effort.count(10)), seconds: effort.count(30))
        case .bytes: BytesMeasurement(changes: effort.count(32), time: .seconds(effort.count(20)))
        case .memory: MemoryMeasurement(changes: effort.count(1000), time: .seconds(effort.count(10)))
        case .micro: MicroMeasurement(batches: effort.count(100))
        case .lookup: LookupMeasurement(batches: effort.count(200))
        case .scale: ScaleMeasurement(batches: effort.count(100))
        case .definitions: DefinitionsMeasurement(batches: effort.count(100))
        case .rules: RuleMeasurement(batches: effort.count(200))
        case .inspector: InspectorMeasurement(repetitions: effort.count(40), sessions: effort.isQuick ? 1 : 7)
        case .reads: RequestMeasurement(seconds: effort.isQuick ? 1 : 2, rounds: effort.isQuick ? 1 : 2)
        case .evaluations: EvaluationMeasurement(seconds: effort.isQuick ? 1 : 2, rounds: effort.isQuick ? 1 : 3)
        case .writes: WriteMeasurement(seconds: effort.isQuick ? 1 : 3, rounds: effort.isQuick ? 1 : 2)
        case .schemas: SchemaMeasurement(seconds: effort.isQuick ? 1 : 2, rounds: effort.isQuick ? 1 : 5)
        case .answer: FirstAnswerMeasurement(runs: effort.count(20))
        case .streams: FanOutMeasurement(writes: effort.count(500), streamCounts: [1, 100, 1000, 10_000])
        case .stores:
            StoresMeasurement(seconds: effort.isQuick ? 1 : 4, writes: effort.count(500), streams: 1000)
        case .storm: StormMeasurement(clients: effort.count(10_000))
        case .million: MillionMeasurement(clients: effort.isQuick ? 20_000 : 1_000_000, seed: seed)
        }
    }
}

/// The number of repetitions of measurements.
struct Effort {
    let isQuick: Bool

    func count(_ whole: Int) -> Int {
        isQuick ? max(whole / 10, 2) : whole
    }
}
