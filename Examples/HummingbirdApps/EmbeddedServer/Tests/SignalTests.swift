// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Testing

/// The program itself, which the tests are built with.
@Suite(.timeLimit(.minutes(1)))
struct SignalTests {
    @Test func sigtermEndsTheProgramWithoutAnError() async throws {
        let (program, log) = (Process(), Pipe())
        let bundle = try #require(
            CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments.first
        )
        program.executableURL = URL(filePath: bundle).deletingLastPathComponent().appending(path: "EmbeddedServer")
        // Any ports that are free.
        program.arguments = ["0", "0"]
        program.standardError = log
        let (ends, ended) = AsyncStream.makeStream(of: (Process.TerminationReason, Int32).self)
        program.terminationHandler = { ended.yield(($0.terminationReason, $0.terminationStatus)) }
        try program.run()
        await waitUntilItListens(log.fileHandleForReading)
        program.terminate()
        let end = try #require(await ends.first { _ in true })
        #expect(end == (.exit, 0))
    }

    /// The end of the log is the end of the program, so the wait ends too.
    private func waitUntilItListens(_ log: FileHandle) async {
        await withCheckedContinuation { continuation in
            // Reads block, and no task may.
            DispatchQueue.global().async {
                var text = ""
                while !text.contains("listening on") {
                    let data = log.availableData
                    if data.isEmpty { break }
                    text += String(decoding: data, as: UTF8.self)
                }
                continuation.resume()
            }
        }
    }
}
