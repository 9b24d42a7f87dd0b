// SPDX-License-Identifier: Apache-2.0

import Synchronization
import SystemPackage

/// A disk whose steps fail while the test sets an error. Flushing does nothing.
final class UnreliableDisk: Sendable {
    enum Fault: CaseIterable {
        /// Files can be created, and nothing can be written to them.
        case full
        case readOnly
        /// Another process keeps the lock.
        case locked
        case unreadable
        case unflushable
        /// Every third operation fails.
        case flaky

        fileprivate func code(of step: ScriptedDisk.Step) -> Errno? {
            switch (self, step) {
            case (.full, .append): .noSpace
            case (.readOnly, .create), (.readOnly, .append), (.readOnly, .move): .readOnlyFileSystem
            case (.locked, .lock): .resourceTemporarilyUnavailable
            case (.unflushable, .flush): .noSpace
            case (.unreadable, .length), (.unreadable, .read): .ioError
            default: nil
            }
        }
    }

    private let state = Mutex<(fault: Fault?, steps: Int, failures: Int)>((nil, 0, 0))

    var fault: Fault? {
        get { state.withLock(\.fault) }
        set { state.withLock { $0.fault = newValue } }
    }

    /// The number of steps that have failed.
    var failureCount: Int { state.withLock(\.failures) }

    var disk: ScriptedDisk {
        ScriptedDisk(flushes: false) { [self] step in
            state.withLock { state in
                state.steps += 1
                if state.fault == .flaky { return state.steps % 3 == 0 ? ScriptedDisk.Failure() : nil }
                guard let code = state.fault?.code(of: step) else { return nil }
                state.failures += 1
                return ScriptedDisk.Failure(code: code)
            }
        }
    }
}
