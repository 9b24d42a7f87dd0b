// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program with everything it needs to run, and nothing it would inherit by accident.
package struct Command: Hashable, Sendable {
    /// The path of the program; a name without a slash is looked up in the folders of the environment's `PATH`.
    package var executable: String
    /// The arguments, without the program's own name.
    package var arguments: [String]
    /// The whole environment. See ``environment(terminal:adding:)``.
    package var environment: [String: String]
    /// The working directory; `nil` for the folder of the test.
    package var workingDirectory: String?

    /// Describes a run of a program.
    package init(
        _ executable: String,
        _ arguments: [String] = [],
        environment: [String: String] = Command.environment(),
        workingDirectory: String? = nil
    ) {
        (self.executable, self.arguments, self.environment) = (executable, arguments, environment)
        self.workingDirectory = workingDirectory
    }

    /// Describes a run of a program, the first of these words.
    package init(
        words: [String],
        environment: [String: String] = Command.environment(),
        workingDirectory: String? = nil
    ) {
        self.init(
            words[0],
            Array(words.dropFirst()),
            environment: environment,
            workingDirectory: workingDirectory
        )
    }

    /// Describes a run of a script by `/bin/sh`.
    package static func shell(
        _ script: String,
        environment: [String: String] = Command.environment(),
        workingDirectory: String? = nil
    ) -> Command {
        Command("/bin/sh", ["-c", script], environment: environment, workingDirectory: workingDirectory)
    }

    /// A small environment that is the same on every machine: UTF-8, a terminal type and where to find programs.
    ///
    /// Of the test's own environment only `PATH`, `HOME`, `TMPDIR` and `LD_LIBRARY_PATH` are passed on. Programs cache nothing
    /// in the user's home.
    ///
    /// - Parameters:
    ///   - terminal: The value of `TERM`.
    ///   - additions: Variables to add or to replace.
    package static func environment(
        terminal: String = "xterm-256color",
        adding additions: [String: String] = [:]
    ) -> [String: String] {
        let passedOn = ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"]
        var environment = ProcessInfo.processInfo.environment.filter { passedOn.contains($0.key) }
        environment["TERM"] = terminal
        environment["LANG"] = "C.UTF-8"
        environment["XDG_CACHE_HOME"] = FileManager.default.temporaryDirectory.appending(path: "livery-tests").path
        return environment.merging(additions) { _, addition in addition }
    }

    /// The executable's path after the look-up in `PATH`, or `nil` if there is no such program.
    package var executablePath: String? {
        if executable.contains("/") { return executable }
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.lazy
            .map { "\($0)/\(executable)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Whether a program of this name is installed, for tests that need one.
    package static func isInstalled(_ name: String) -> Bool {
        Command(name).executablePath != nil
    }
}

extension Command: CustomStringConvertible {
    package var description: String {
        ([executable] + arguments).joined(separator: " ")
    }
}
