// SPDX-License-Identifier: Apache-2.0

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
        program.executableURL = URL(filePath: bundle).deletingLastPathComponent().appending(path: "UserService")
        // Any ports that are free.
        program.arguments = ["0"]
        program.standardError = log
        let (ends, ended) = AsyncStream.makeStream(of: (Process.TerminationReason, Int32).self)
        program.terminationHandler = { ended.yield(($0.terminationReason, $0.terminationStatus)) }
        let (outputs, output) = AsyncStream.makeStream(of: Data.self)
        log.fileHandleForReading.readabilityHandler = { output.yield($0.availableData) }
        try program.run()
        var text = ""
        for await data in outputs {
            text += String(decoding: data, as: UTF8.self)
            if data.isEmpty || text.contains("listening on") { break }
        }
        program.terminate()
        let end = try #require(await ends.first { _ in true })
        #expect(end == (.exit, 0))
    }
}
