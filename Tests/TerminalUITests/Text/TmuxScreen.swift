// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Foundation
    import Glibc

    /// A tmux server of its own, with one pane that shows what is written to it and nothing else.
    ///
    /// The pane reads a named pipe, so that no shell, echo or key translation stands between the test and tmux.
    final class TmuxScreen {
        static let isInstalled = (try? run(["-V"])) != nil

        private let folder: URL
        private let pipe: FileHandle

        /// Starts the server with a pane of 200 × 10 cells.
        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "tmux-\(UUID().uuidString.prefix(8))")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let pipePath = folder.appending(path: "pipe").path
            // Opened for both directions, so that opening does not wait for the reader.
            let descriptor = mkfifo(pipePath, 0o600) == 0 ? open(pipePath, O_RDWR | O_CLOEXEC) : -1
            guard descriptor >= 0 else { throw CommandFailure(what: "mkfifo", status: errno) }
            pipe = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            _ = try command(["-u", "new-session", "-d", "-x", "200", "-y", "10", "exec cat '\(pipePath)'"])
        }

        /// Stops the server and removes its files.
        func stop() throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            _ = try command(["kill-server"])
        }

        /// Clears the pane, prints the text from the first column, and gives the column of the cursor after it.
        ///
        /// The title, which tmux sets in the order of what it reads, says when the text has arrived.
        func cursorColumn(after text: String, marker: Int, deadline: ContinuousClock.Instant) throws -> Int? {
            try pipe.write(contentsOf: Data("\u{1B}[2J\u{1B}[H\(text)\u{1B}]2;marker-\(marker)\u{7}".utf8))
            while ContinuousClock.now < deadline {
                let answer = try command(["display-message", "-p", "#{cursor_x} #{cursor_y} #{pane_title}"])
                let fields = answer.split(whereSeparator: \.isWhitespace)
                if fields.last == "marker-\(marker)" { return fields[1] == "0" ? Int(fields[0]) : nil }
            }
            return nil
        }

        private func command(_ arguments: [String]) throws -> String {
            try Self.run(["-S", folder.appending(path: "socket").path, "-f", "/dev/null"] + arguments)
        }

        /// Runs tmux and gives what it prints.
        ///
        /// The server outlives the command that starts it, so the child inherits neither the signals that the test
        /// runner's threads block, or nothing could stop it, nor open files, or their readers would wait for it.
        private static func run(_ arguments: [String]) throws -> String {
            let output = Pipe()
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
            var noSignals = sigset_t()
            posix_spawn_file_actions_init(&actions)
            posix_spawnattr_init(&attributes)
            defer {
                posix_spawn_file_actions_destroy(&actions)
                posix_spawnattr_destroy(&attributes)
            }
            sigemptyset(&noSignals)
            posix_spawnattr_setsigmask(&attributes, &noSignals)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, output.fileHandleForWriting.fileDescriptor, 1)
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
            for descriptor in 3..<min(getdtablesize(), 4096) {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }

            let words = ["env", "-u", "TMUX", "LC_ALL=C.UTF-8", "tmux"] + arguments
            var vector: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
            defer { vector.forEach { free($0) } }
            var child = pid_t()
            let failure = posix_spawn(&child, "/usr/bin/env", &actions, &attributes, &vector, environ)
            guard failure == 0 else { throw CommandFailure(what: "posix_spawn", status: failure) }

            try output.fileHandleForWriting.close()
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            var status: CInt = 0
            guard waitpid(child, &status, 0) == child, status == 0 else {
                throw CommandFailure(what: "tmux \(arguments.joined(separator: " "))", status: status)
            }
            return text
        }
    }

    /// A command that could not be run or did not succeed.
    struct CommandFailure: Error {
        var what: String
        var status: CInt
    }
#endif
