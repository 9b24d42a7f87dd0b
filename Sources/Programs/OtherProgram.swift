// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import CLibrary
internal import CTerminalGuard
internal import Dispatch

/// A program that is started.
package enum OtherProgram {
    #if canImport(Glibc)
        private typealias Actions = posix_spawn_file_actions_t
        private typealias Attributes = posix_spawnattr_t
    #else
        private typealias Actions = posix_spawn_file_actions_t?
        private typealias Attributes = posix_spawnattr_t?
    #endif

    /// Starts the program in a file, with this program's environment. It does not share the terminal: its input and output are
    /// empty, and it does not receive Ctrl-C.
    ///
    /// - Parameters:
    ///   - arguments: the arguments after the program's name. No shell interprets them.
    ///   - onFailure: is called on a separate queue if the program fails within five seconds; the text has the cause, such as
    ///     `exited with code 1`.
    /// - Returns: whether it was started.
    package static func start(
        _ path: String,
        arguments: [String],
        onFailure: @escaping @Sendable (String) -> Void = { _ in }
    ) -> Bool {
        guard let process = spawn(path, arguments: arguments, streams: "/dev/null") else { return false }
        release(process, onFailure)
        return true
    }

    /// Runs the program in a file on the terminal of this process, which has to be free, and waits for its end on this thread.
    /// The keyboard's signals go to it alone. It cannot be stopped by Ctrl-Z: no shell would continue it.
    ///
    /// - Parameter arguments: the arguments after the program's name. No shell interprets them.
    /// - Returns: the reason why it has failed, such as `exited with code 1`; `nil` if it has not.
    package static func runOnTerminal(_ path: String, arguments: [String]) -> String? {
        let name = "/dev/tty"
        let terminal = open(name, O_RDWR | O_CLOEXEC)
        defer { close(terminal) }
        // Without /dev/tty, as after `su -c`, no process of the session is in the background.
        guard let process = spawn(path, arguments: arguments, streams: terminal < 0 ? nil : name) else {
            return "cannot be started"
        }
        // A process in the background may take the terminal back only if it does not receive this signal.
        var (signals, former) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        sigaddset(&signals, SIGTTOU)
        pthread_sigmask(SIG_BLOCK, &signals, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        lvy_guard_lend(process)
        defer { lvy_guard_lend(0) }
        tcsetpgrp(terminal, process)
        defer { tcsetpgrp(terminal, getpgrp()) }
        var status: Int32 = 0
        while true {
            if waitpid(process, &status, WUNTRACED) < 0 {
                if errno == EINTR { continue }
                return "was lost"
            }
            guard status & 0xFF == 0x7F else { break }
            // It was stopped: by Ctrl-Z, or before it had the terminal.
            kill(-process, SIGCONT)
        }
        return failure(status)
    }

    /// - Parameter streams: the file that is its input and output; `nil` for those of this process.
    private static func spawn(_ path: String, arguments: [String], streams: String?) -> pid_t? {
        withUnsafeTemporaryAllocation(of: Actions.self, capacity: 1) { actions in
            withUnsafeTemporaryAllocation(of: Attributes.self, capacity: 1) { attributes in
                guard let actions = actions.baseAddress, let attributes = attributes.baseAddress else { return nil }
                prepare(actions, attributes, streams: streams)
                defer {
                    posix_spawn_file_actions_destroy(actions)
                    posix_spawnattr_destroy(attributes)
                }
                var process = pid_t()
                let code = withCStrings([path] + arguments) { words in
                    withCStrings(Program.environment.map { "\($0)=\($1)" }) { variables in
                        path.withPathBytes { posix_spawn(&process, $0, actions, attributes, words, variables) }
                    }
                }
                return code == 0 ? process : nil
            }
        }
    }

    private static func prepare(
        _ actions: UnsafeMutablePointer<Actions>,
        _ attributes: UnsafeMutablePointer<Attributes>,
        streams: String?
    ) {
        posix_spawn_file_actions_init(actions)
        for stream in STDIN_FILENO...STDERR_FILENO {
            if let streams { posix_spawn_file_actions_addopen(actions, stream, streams, O_RDWR, 0) }
        }
        posix_spawnattr_init(attributes)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        posix_spawnattr_setflags(attributes, Int16(flags))
        // A separate process group, which receives none of the keyboard's signals.
        posix_spawnattr_setpgroup(attributes, 0)
        // Signals that this program ignores, such as SIGPIPE, have their default action there.
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(attributes, &signals)
    }

    private static func failure(_ status: Int32) -> String? {
        if status == 0 { return nil }
        let code = status >> 8 & 0xFF
        // A shell reports the signal that ended its program as a code from 129 on.
        let signal = status & 0x7F == 0 ? code - 128 : status & 0x7F
        return signal > 0 ? "was killed by signal \(signal)" : "exited with code \(code)"
    }

    /// Waits for the program's end in the background, so that it does not stay as a zombie.
    private static func release(_ process: pid_t, _ onFailure: @escaping @Sendable (String) -> Void) {
        let start = ContinuousClock.now
        DispatchQueue(label: "livery.other-program").async {
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            guard let failure = failure(status), .now - start < .seconds(5) else { return }
            onFailure(failure)
        }
    }

    /// Passes texts as C has them: pointers, of which the last is null.
    private static func withCStrings<Result>(
        _ texts: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = texts.map { $0.withPathBytes { strdup($0) } }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}
