// SPDX-License-Identifier: Apache-2.0

import Files
import Synchronization
import SystemPackage
import TestSupport

/// The disk of the machine, with steps that the test lets fail.
final class ScriptedDisk: Disk {
    enum Step {
        case makeFolder, length, read, create, giveAccess, append, flush, flushFolder, move, lock
    }

    /// A failure of a step.
    struct Failure {
        var code = Errno.ioError
        /// Whether an append writes the first half of the bytes.
        var isHalfway = false
    }

    /// The maximum waits of the callers for a lock.
    let patience = Log<Duration>()
    private let base = SystemDisk()
    private let flushes: Bool
    private let failure: @Sendable (Step) -> Failure?

    /// - Parameters:
    ///   - flushes: Whether flushing does anything.
    ///   - failure: Called before each step; `nil` lets it succeed.
    init(flushes: Bool = true, failure: @escaping @Sendable (Step) -> Failure?) {
        (self.flushes, self.failure) = (flushes, failure)
    }

    /// The disk of a machine that dies at a step, half-way through it, and stays dead.
    ///
    /// - Parameter steps: The number of complete steps.
    convenience init(dyingAfter steps: Int) {
        let done = Log<Step>()
        self.init { step in
            done.append(step)
            let count = done.entries.count
            return count <= steps ? nil : Failure(isHalfway: count == steps + 1)
        }
    }

    private func step<Outcome>(
        _ step: Step,
        half: () throws(FileError) -> Void = {},
        _ body: () throws(FileError) -> Outcome
    ) throws(FileError) -> Outcome {
        guard let failure = failure(step) else { return try body() }
        if failure.isHalfway { try half() }
        throw FileError(step: "\(step)", code: failure.code)
    }

    func makeFolder(_ path: String) throws(FileError) {
        try step(.makeFolder) { () throws(FileError) in try base.makeFolder(path) }
    }

    func length(of path: String) throws(FileError) -> Int? {
        try step(.length) { () throws(FileError) in try base.length(of: path) }
    }

    func read(_ path: String, from offset: Int, atMost count: Int) throws(FileError) -> [UInt8]? {
        try step(.read) { () throws(FileError) in try base.read(path, from: offset, atMost: count) }
    }

    func create(_ path: String) throws(FileError) {
        try step(.create) { () throws(FileError) in try base.create(path) }
    }

    func giveAccess(to path: String, like other: FileState) throws(FileError) {
        try step(.giveAccess) { () throws(FileError) in try base.giveAccess(to: path, like: other) }
    }

    func append(_ bytes: [UInt8], to path: String, at length: Int) throws(FileError) {
        try step(.append) { () throws(FileError) in
            try base.append(Array(bytes.prefix(bytes.count / 2)), to: path, at: length)
        } _: { () throws(FileError) in
            try base.append(bytes, to: path, at: length)
        }
    }

    func flush(_ path: String) throws(FileError) {
        try step(.flush) { () throws(FileError) in if flushes { try base.flush(path) } }
    }

    func flushFolder(_ path: String) throws(FileError) {
        try step(.flushFolder) { () throws(FileError) in if flushes { try base.flushFolder(path) } }
    }

    func move(_ path: String, to other: String) throws(FileError) {
        try step(.move) { () throws(FileError) in try base.move(path, to: other) }
    }

    func locked<Outcome>(
        _ path: String,
        patience: Duration,
        _ body: () throws(FileError) -> Outcome
    ) throws(FileError) -> Outcome {
        self.patience.append(patience)
        try step(.lock) { () throws(FileError) in }
        return try base.locked(path, patience: patience, body)
    }
}
