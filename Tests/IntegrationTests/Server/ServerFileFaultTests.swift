// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing

/// A server whose files another program removes, replaces, moves or truncates while it writes, and that is killed then.
@Suite(.timeLimit(.minutes(30)))
struct ServerFileFaultTests {
    /// `LIVERY_FILE_FAULTS=200` for a long run.
    private static let rounds = ProcessInfo.processInfo.environment["LIVERY_FILE_FAULTS"].flatMap { Int($0) } ?? 24

    @Test func acknowledgedWritesSurviveFaultsOfFiles() async throws {
        var random = SeededGenerator(seed: 39)
        for round in 0..<Self.rounds {
            let file = FaultRound.File.allCases[round % FaultRound.File.allCases.count]
            let faults = file == .folder ? [FileFault.moved] : FileFault.allCases
            let fault = try #require(faults.randomElement(using: &random))
            let play = FaultRound(file: file, fault: fault, isKilledAtOnce: Int.random(in: 0..<4, using: &random) == 0)
            try await play.run(using: &random, "round \(round): \(file) \(fault)")
        }
    }
}

/// A change of a file under writes, a kill and a start.
private struct FaultRound {
    enum File: String, CaseIterable {
        case database = ""
        case log = "-wal"
        case sharedMemory = "-shm"
        case folder
    }

    let file: File
    let fault: FileFault
    let isKilledAtOnce: Bool

    private static let store = "data/livery.sqlite"

    func run(using random: inout SeededGenerator, _ round: Comment) async throws {
        let folder = try TemporaryDirectory(prefix: "faults")
        try FileManager.default.createDirectory(atPath: folder.path(to: "data"), withIntermediateDirectories: false)
        let server = try await onDedicatedThread { try Self.server(in: folder) }
        let writers = (0..<2).map { FaultWriter(key: "w\($0)", port: server.port) }
        let writing = Task {
            try await withThrowingTaskGroup { group in
                for writer in writers { group.addTask { try await onDedicatedThread { writer.run() } } }
                try await group.waitForAll()
            }
        }
        let count = Int.random(in: 1...20, using: &random)
        try await until("writes are acknowledged") { writers.allSatisfy { $0.acknowledged >= count } }
        try await Task.sleep(for: .microseconds(Int.random(in: 0...5000, using: &random)))
        let path = folder.path(to: file == .folder ? "data" : Self.store + file.rawValue)
        if file == .folder { rename(path, FileFault.place(of: path)) } else { try fault.happen(to: path) }
        let after = ContinuousClock.now
        // The server must refuse what it would lose, and go on otherwise.
        let mustRefuse = file == .database || file == .folder
        if !isKilledAtOnce {
            try await until("the fault is noticed (\(round))") {
                let isNoticed = writers.allSatisfy { writer in
                    writer.hasAnswer(since: after, isAcknowledgement: !mustRefuse)
                }
                // The system ends a process that has a truncated file in its memory.
                return isNoticed || file == .sharedMemory && !server.send(signal: 0)
            }
        }
        writers.forEach { $0.stop() }
        _ = try await onDedicatedThread { try server.stop(signal: SIGKILL) }
        try await writing.value
        if mustRefuse {
            #expect(writers.allSatisfy { !$0.hasAnswer(since: after, isAcknowledgement: true) }, round)
            guard fault == .moved else { return }
            rename(FileFault.place(of: path), path)
        }
        let isIntact = mustRefuse || file == .sharedMemory || !isKilledAtOnce
        let again = try await onDedicatedThread { try Self.server(in: folder) }
        for writer in writers {
            let found = try await onDedicatedThread { try writer.value(port: again.port) }
            let least = isIntact ? writer.acknowledged : writer.acknowledged(since: after)
            #expect(found >= least && found <= writer.tried, round)
        }
        _ = try await onDedicatedThread { try again.stop(signal: SIGKILL) }
    }

    private static func server(in folder: TemporaryDirectory) throws -> RunningServer {
        try RunningServer(arguments: ["--store", folder.path(to: store)], folder: folder)
    }
}

/// Counts a value up, one write after another.
private final class FaultWriter: Sendable {
    private struct State {
        var tried = 0
        var answers: [(value: Int, begin: ContinuousClock.Instant, isAcknowledgement: Bool)] = []
        var isOver = false
    }

    private let key: String
    private let port: Int
    private let state = Mutex(State())

    init(key: String, port: Int) { (self.key, self.port) = (key, port) }

    var tried: Int { state.withLock(\.tried) }
    /// The last value that was acknowledged.
    var acknowledged: Int { acknowledged(since: nil) }

    /// The last value that was acknowledged of a write that began after a moment.
    func acknowledged(since moment: ContinuousClock.Instant?) -> Int {
        let answers = state.withLock(\.answers)
        return answers.last { $0.isAcknowledgement && $0.begin > moment ?? $0.begin - .seconds(1) }?.value ?? 0
    }

    /// Whether a write that began after a moment has such an answer.
    func hasAnswer(since moment: ContinuousClock.Instant, isAcknowledgement: Bool) -> Bool {
        state.withLock(\.answers).contains { $0.begin > moment && $0.isAcknowledgement == isAcknowledgement }
    }

    func stop() { state.withLock { $0.isOver = true } }

    func run() {
        while let value = next() {
            let begin = ContinuousClock.now
            guard
                let answer = try? WireClient(port: port)
                    .ask("PUT", "/v1/default/entries/\(key)", body: "{\"value\":\(value)}")
            else { continue }
            let isAcknowledgement = (200...201).contains(answer.status)
            state.withLock { $0.answers.append((value, begin, isAcknowledgement)) }
        }
    }

    private func next() -> Int? {
        state.withLock { state in
            if state.isOver { return nil }
            state.tried += 1
            return state.tried
        }
    }

    /// The value that a server has.
    func value(port: Int) throws -> Int {
        let answer = try WireClient(port: port).ask("GET", "/v1/default/entries/\(key)")
        guard let value = answer.text.firstMatch(of: /"value":([0-9]+)/) else { return 0 }
        return Int(value.1) ?? 0
    }
}
