// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import RemoteConfig

/// The output of a command (the path of a program, and its arguments), which is run again from time to time.
struct CommandSource: ConfigSource {
    let name: String
    let delivery: SourceDelivery
    private let command: [String]
    private let format: DocumentFormat

    init(_ command: [String], every interval: Duration = .seconds(30), format: DocumentFormat = .json) {
        (self.command, self.format) = (command, format)
        (name, delivery) = (command.joined(separator: " "), .polled(every: interval))
    }

    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        let output = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: Result { try run() }) }
        }
        do {
            return SourceReading(try format.document(output.get(), source: name))
        } catch {
            throw error as? ConfigError ?? ConfigError(.unavailable, "cannot run the command: \(error)", source: name)
        }
    }

    private func run() throws -> [UInt8] {
        let (process, pipe) = (Process(), Pipe())
        (process.executableURL, process.standardOutput) = (URL(filePath: command[0]), pipe)
        process.arguments = Array(command.dropFirst())
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        if process.terminationStatus == 0 { return Array(output) }
        throw ConfigError(.unavailable, "the command failed with status \(process.terminationStatus)", source: name)
    }
}
