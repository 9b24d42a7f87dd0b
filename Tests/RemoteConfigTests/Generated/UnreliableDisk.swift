// SPDX-License-Identifier: Apache-2.0

import Files
import Synchronization
import SystemPackage

/// A disk whose operations fail while the test sets a failure. Flushing does nothing.
final class UnreliableDisk: Disk {
    enum Fault: CaseIterable {
        /// Files can be created, and nothing can be written to them.
        case full
        case readOnly
        /// Another process keeps the lock.
        case locked
        case unreadable
        /// Every third operation fails.
        case flaky
    }

    private let base = SystemDisk()
    private let state = Mutex<(fault: Fault?, steps: Int)>((nil, 0))

    var fault: Fault? {
        get { state.withLock(\.fault) }
        set { state.withLock { $0.fault = newValue } }
    }

    private func step<Outcome>(
        failingIf faults: [Fault: Errno] = [:],
        _ body: () throws(FileError) -> Outcome
    ) throws(FileError) -> Outcome {
        let code = state.withLock { state -> Errno? in
            state.steps += 1
            if state.fault == .flaky, state.steps % 3 == 0 { return .ioError }
            return state.fault.flatMap { faults[$0] }
        }
        if let code { throw FileError(step: "test", code: code) }
        return try body()
    }

    func makeFolder(_ path: String) throws(FileError) {
        try step { () throws(FileError) in try base.makeFolder(path) }
    }

    func length(of path: String) throws(FileError) -> Int? {
        try step(failingIf: [.unreadable: .ioError]) { () throws(FileError) in try base.length(of: path) }
    }

    func read(_ path: String, from offset: Int, atMost count: Int) throws(FileError) -> [UInt8]? {
        try step(failingIf: [.unreadable: .ioError]) { () throws(FileError) in
            try base.read(path, from: offset, atMost: count)
        }
    }

    func create(_ path: String) throws(FileError) {
        try step(failingIf: [.readOnly: .readOnlyFileSystem]) { () throws(FileError) in try base.create(path) }
    }

    func giveAccess(to path: String, like other: FileState) throws(FileError) {
        try step { () throws(FileError) in try base.giveAccess(to: path, like: other) }
    }

    func append(_ bytes: [UInt8], to path: String, at length: Int) throws(FileError) {
        try step(failingIf: [.readOnly: .readOnlyFileSystem, .full: .noSpace]) { () throws(FileError) in
            try base.append(bytes, to: path, at: length)
        }
    }

    func flush(_ path: String) throws(FileError) { try step { () throws(FileError) in } }

    func flushFolder(_ path: String) throws(FileError) { try step { () throws(FileError) in } }

    func move(_ path: String, to other: String) throws(FileError) {
        try step(failingIf: [.readOnly: .readOnlyFileSystem]) { () throws(FileError) in try base.move(path, to: other) }
    }

    func locked<Outcome>(
        _ path: String,
        patience: Duration,
        _ body: () throws(FileError) -> Outcome
    ) throws(FileError) -> Outcome {
        try step(failingIf: [.locked: .resourceTemporarilyUnavailable]) { () throws(FileError) in
            try base.locked(path, patience: patience, body)
        }
    }
}
