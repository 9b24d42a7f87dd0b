// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Essentials

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A program that is started and left alone.
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
        withUnsafeTemporaryAllocation(of: Actions.self, capacity: 1) { actions in
            withUnsafeTemporaryAllocation(of: Attributes.self, capacity: 1) { attributes in
                guard let actions = actions.baseAddress, let attributes = attributes.baseAddress else { return false }
                prepare(actions, attributes)
                defer {
                    posix_spawn_file_actions_destroy(actions)
                    posix_spawnattr_destroy(attributes)
                }
                var process = pid_t()
                let code = withCStrings([path] + arguments) { words in
                    withCStrings(ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }) { variables in
                        posix_spawn(&process, path, actions, attributes, words, variables)
                    }
                }
                if code == 0 { release(process, onFailure) }
                return code == 0
            }
        }
    }

    private static func prepare(
        _ actions: UnsafeMutablePointer<Actions>,
        _ attributes: UnsafeMutablePointer<Attributes>
    ) {
        posix_spawn_file_actions_init(actions)
        for stream in STDIN_FILENO...STDERR_FILENO {
            posix_spawn_file_actions_addopen(actions, stream, "/dev/null", O_RDWR, 0)
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

    /// Waits for the program's end in the background, so that it does not stay as a zombie.
    private static func release(_ process: pid_t, _ onFailure: @escaping @Sendable (String) -> Void) {
        let start = ContinuousClock.now
        DispatchQueue(label: "livery.other-program").async {
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            guard status != 0, .now - start < .seconds(5) else { return }
            onFailure(signal == 0 ? "exited with code \(status >> 8 & 0xFF)" : "was killed by signal \(signal)")
        }
    }

    /// Passes texts as C has them: pointers, of which the last is null.
    private static func withCStrings<Result>(
        _ texts: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = texts.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}
