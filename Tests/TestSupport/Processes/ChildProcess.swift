// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A started child whose end can be awaited together with descriptors, and which is never signalled after its end.
///
/// A thread waits for the child. When the child has ended, its id is kept from being used again until the end is on
/// record, so a signal sent by ``send(signal:)`` cannot hit another process.
package final class ChildProcess: Sendable {
    private typealias End = (status: ExitStatus, usage: ProcessUsage)

    /// The id of the child, in the form of `getpid(2)`.
    let identifier: pid_t
    /// Becomes readable, for `poll(2)`, when the child has ended.
    let endDescriptor: OwnedDescriptor

    private let end = Mutex<End?>(nil)

    init(_ request: SpawnRequest) throws(SystemError) {
        let pipe = try OwnedDescriptor.pipe()
        endDescriptor = pipe.reading
        identifier = try request.spawn()
        Thread.detachNewThread { [self] in
            recordEnd()
            // Its closing is what makes the other end readable.
            withExtendedLifetime(pipe.writing) {}
        }
    }

    /// The exit status of the child, or `nil` while it runs.
    var exitStatus: ExitStatus? {
        end.withLock { $0?.status }
    }

    /// The resources that the child used, once it has ended.
    var finalUsage: ProcessUsage? {
        end.withLock { $0?.usage }
    }

    /// Sends a signal to the child alone, and returns whether there was still a child to get it.
    @discardableResult
    func send(signal number: Int32) -> Bool {
        end.withLock { end in
            end == nil && kill(identifier, number) == 0
        }
    }

    /// Waits until the child has ended.
    ///
    /// - Returns: The exit status, or `nil` if it still runs after the deadline.
    func waitForEnd(until deadline: Deadline) throws(SystemError) -> ExitStatus? {
        var descriptors = [pollfd(fd: endDescriptor.number, events: Int16(POLLIN), revents: 0)]
        _ = try waitForEvents(on: &descriptors, until: deadline)
        return exitStatus
    }

    private func recordEnd() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        end.withLock { end in
            var status: Int32 = 0
            var usage = rusage()
            while wait4(identifier, &status, 0, &usage) == -1, errno == EINTR {}
            end = (ExitStatus(waitStatus: status) ?? .exited(-1), ProcessUsage(usage))
        }
    }
}

/// The end of a program.
package enum ExitStatus: Hashable, Sendable {
    /// It returned from `main` or called `exit` with this code, 0–255.
    case exited(Int32)
    /// This signal killed it.
    case signaled(Int32)

    /// Reads the status word of `wait(2)`; `nil` for a program that has only stopped or gone on.
    init?(waitStatus: Int32) {
        let signal = waitStatus & 0x7F
        switch signal {
        case 0: self = .exited(waitStatus >> 8 & 0xFF)
        case 0x7F: return nil
        default: self = .signaled(signal)
        }
    }

    /// Whether the program exited with success.
    package var isSuccess: Bool {
        self == .exited(0)
    }
}

extension ExitStatus: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exited(let code): "exited with code \(code)"
        case .signaled(let number): "killed by signal \(number)"
        }
    }
}
