// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs a closure whose system calls are interrupted by signals all the time.
package func withInterruptions<Value>(_ work: () throws -> Value) rethrows -> Value {
    // Without a handler, this signal is passed over and interrupts nothing. The handler may stay.
    var action = sigaction()
    #if canImport(Glibc)
        action.__sigaction_handler.sa_handler = { _ in }
    #else
        action.__sigaction_u.__sa_handler = { _ in }
    #endif
    sigaction(SIGURG, &action, nil)
    let interruptions = Interruptions(of: PresentThread())
    defer { interruptions.end() }
    return try work()
}

/// The thread that makes this. It is a pointer on macOS.
private struct PresentThread: @unchecked Sendable {
    let name = pthread_self()
}

private final class Interruptions: Sendable {
    private let isOver = Atomic(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(of thread: PresentThread) {
        Thread { [self] in
            while !isOver.load(ordering: .acquiring) {
                pthread_kill(thread.name, SIGURG)
                _ = poll(nil, 0, 1)
            }
            hasEnded.signal()
        }.start()
    }

    func end() {
        isOver.store(true, ordering: .releasing)
        hasEnded.wait()
    }
}
