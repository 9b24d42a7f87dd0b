import ArgumentParser

/// One thing that is measured, from the first run to the table.
protocol Measurement: Sendable {
    func run() async throws -> Section
}

/// The measurements, by the names that the command line has for them.
enum MeasurementName: String, CaseIterable, ExpressibleByArgument {
    case latency, start, idle, bytes, memory, micro, definitions

    func measurement(_ effort: Effort) -> any Measurement {
        switch self {
        case .latency: LatencyMeasurement(changes: effort.count(1000))
        case .start: StartMeasurement(runs: effort.count(20))
        case .idle: IdleMeasurement(settling: .seconds(effort.count(10)), seconds: effort.count(30))
        case .bytes: BytesMeasurement(changes: effort.count(32), time: .seconds(effort.count(20)))
        case .memory: MemoryMeasurement(changes: effort.count(1000), time: .seconds(effort.count(10)))
        case .micro: MicroMeasurement(batches: effort.count(100))
        case .definitions: DefinitionsMeasurement(batches: effort.count(100))
        }
    }
}

/// How often things are measured.
struct Effort {
    let isQuick: Bool

    func count(_ whole: Int) -> Int {
        isQuick ? max(whole / 10, 2) : whole
    }
}
