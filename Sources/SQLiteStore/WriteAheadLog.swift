// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Files
internal import Foundation

/// SQLite's write-ahead log as recovery after a crash would read it, and a copy of it in memory.
///
/// SQLite never reads its own log back, so it does not notice when another program truncates or overwrites the file. This
/// type reads every commit from the file after SQLite has written it. The copy, which is as long as the log is until SQLite
/// begins it again, can be written back.
///
/// The header of each log has two random numbers, its salts, which SQLite's shared memory has too. A process that copies all of
/// a log to the database, as a checkpoint does, first changes them in the shared memory: then the copy must not be
/// written back, since recovery would undo what came later. The format is described at
/// https://www.sqlite.org/walformat.html.
struct WriteAheadLog: Sendable {
    private let file: DatabaseFile
    /// The header; empty before the first commit.
    private var header: [UInt8] = []
    /// The frames from ``start`` to ``end``, the last one of the last commit, and room for more.
    private var frames: [UInt8] = []
    /// The start of the frames in the file, and their end.
    private var (start, end) = (Self.headerSize, Self.headerSize)
    /// The checksum of the last frame, or of the header.
    private var checksum = Checksum()
    /// The number of frames from the beginning of the log.
    private(set) var frameCount = 0

    private static let headerSize = 32
    private static let frameHeaderSize = 24
    /// A longer log, as during a long backup, is forgotten except for its last frame, and cannot be written back.
    private static let maximumBytes = 64 * 1024 * 1024
    /// The size that is preallocated when SQLite restarts the log: the usual size of the log.
    private static let usualBytes = 16 * 1024 * 1024
    /// A piece of the room for more frames.
    private static let room = [UInt8](repeating: 0, count: 64 * 1024)
    /// Up to this number, frames are read without checking the size of the file.
    private static let fewFrames = 256

    /// Opens the log and reads it.
    ///
    /// - Parameter salts: those of the current log.
    init(path: String, salts: Salts) throws(StoreError) {
        file = try DatabaseFile(path)
        advance(in: salts)
    }

    /// The salts of a log, as in its header.
    typealias Salts = [UInt8]

    /// The identity of the opened file, whatever its name is now.
    var identity: FileState.Identity { file.identity }

    private var pageSize: Int { Int(Self.word(header[8..<12])) }
    private var frameSize: Int { Self.frameHeaderSize + pageSize }

    /// Whether the file still has its contents: the header and the last frame.
    var isIntact: Bool { header.isEmpty || file.read(Self.headerSize, at: 0) == header && hasLastFrame }

    /// Whether the file still has the last frame of the last commit.
    ///
    /// SQLite only appends to a log, so a file that was truncated, even if it has grown since, has another last frame.
    var hasLastFrame: Bool {
        guard end > start else { return true }
        guard let last = file.read(frameSize, at: end - frameSize) else { return false }
        return last.withUnsafeBytes { last in
            frames.withUnsafeBytes { frames in
                guard let found = last.baseAddress, let known = frames.baseAddress else { return false }
                return memcmp(found, known + (end - start - last.count), last.count) == 0
            }
        }
    }

    /// Ensures that the file has its contents, unless all of them are in the database.
    ///
    /// - Parameter salts: returns those of the current log. They are read after the file, which SQLite changes later.
    /// - Returns: whether it has.
    mutating func keep(in salts: () -> Salts) -> Bool {
        if isIntact { return true }
        if !header.isEmpty, Array(header[16..<24]) != salts() { forget() }
        return isIntact || restore()
    }

    /// Reads the commits since the last call.
    ///
    /// - Parameters:
    ///   - salts: those of the current log.
    ///   - count: how many frames the log has; `nil` if that is not known.
    /// - Returns: whether there was a commit.
    @discardableResult
    mutating func advance(in salts: Salts, to count: Int? = nil) -> Bool {
        guard let found = file.read(Self.headerSize, at: 0), found == header || isHeader(found, of: salts) else {
            return false
        }
        if found != header { begin(found) }
        return readCommits(to: count)
    }

    /// Whether the file has a commit after the last one that was read.
    ///
    /// - Parameter salts: those of the current log.
    func hasMore(in salts: Salts) -> Bool {
        var copy = self
        return copy.advance(in: salts)
    }

    /// Writes lost contents back.
    ///
    /// - Parameter cutting: whether to remove what follows, which only SQLite's shared memory counts as committed.
    /// - Returns: whether the file has all of it again, on the disk.
    func restore(cutting: Bool = false) -> Bool {
        guard write(to: file) else { return false }
        if cutting, ftruncate(file.descriptor, off_t(header.isEmpty ? 0 : end)) != 0 { return false }
        return (try? SystemDisk().flush(descriptor: file.descriptor)) != nil
    }

    /// Writes the log to a file, in the place of the one that has its name.
    func copy(to path: String) throws {
        _ = path.withPathBytes { unlink($0) }
        let copy = try DatabaseFile(path, isExclusive: true)
        guard write(to: copy) else { throw StoreError(.unavailable, "cannot write '\(path)'; free disk space") }
        try SystemDisk().flush(descriptor: copy.descriptor)
    }

    private func write(to file: DatabaseFile) -> Bool {
        start == Self.headerSize && file.write(header[...], at: 0) && file.write(frames[..<(end - start)], at: start)
    }

    /// Forgets the log, all of which is in the database by now.
    mutating func forget() {
        (header, checksum, frameCount) = ([], Checksum(), 0)
        (start, end) = (Self.headerSize, Self.headerSize)
        if frames.count > Self.usualBytes { frames = [] }
    }

    private mutating func begin(_ header: [UInt8]) {
        forget()
        self.header = header
        checksum = Checksum(of: header.prefix(24), isBigEndian: isBigEndian)
    }

    /// Whether a header is that of the log with these salts.
    private func isHeader(_ header: [UInt8], of salts: Salts) -> Bool {
        guard Array(header[16..<24]) == salts, Self.word(header[0..<4]) & ~1 == 0x377f_0682 else { return false }
        let size = Self.word(header[8..<12])
        guard (512...65_536).contains(size), size & (size - 1) == 0 else { return false }
        return Checksum(of: header.prefix(24), isBigEndian: header[3] & 1 == 1).isStored(in: header[24..<32])
    }

    private var isBigEndian: Bool { header[3] & 1 == 1 }

    /// Reads the whole commits after the last one that was read.
    ///
    /// - Parameter count: how many frames the log has; `nil` if that is not known.
    /// - Returns: whether there is one.
    private mutating func readCommits(to count: Int?) -> Bool {
        var wanted = count.map { $0 - frameCount } ?? .max
        if wanted > Self.fewFrames {
            let size = FileState(descriptor: file.descriptor)?.size ?? 0
            wanted = min(wanted, (size - end) / frameSize)
        }
        guard wanted > 0 else { return false }
        let known = end - start
        let place = known..<known + wanted * frameSize
        if place.upperBound > frames.count {
            let size = max(place.upperBound, 2 * frames.count)
            frames.reserveCapacity(size + Self.room.count)
            while frames.count < size { frames += Self.room }
        }
        let read = frames.withUnsafeMutableBytes { [file, end] in
            file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[place]), at: end)
        }
        var (next, committed, running) = (known, known, checksum)
        while next + frameSize <= known + read {
            let head = frames[next..<next + Self.frameHeaderSize]
            guard head.dropFirst(8).prefix(8) == header[16..<24] else { break }
            running.add(head.prefix(8), isBigEndian: isBigEndian)
            running.add(frames[head.endIndex..<next + frameSize], isBigEndian: isBigEndian)
            guard running.isStored(in: head.dropFirst(16)) else { break }
            next += frameSize
            // The last frame of a commit has the size of the database, and the others 0.
            if Self.word(head.dropFirst(4).prefix(4)) != 0 { (committed, checksum) = (next, running) }
        }
        if committed == known { return false }
        end = start + committed
        frameCount += (committed - known) / frameSize
        if committed > Self.maximumBytes {
            start = end - frameSize
            frames = Array(frames[committed - frameSize..<committed])
        }
        return true
    }

    fileprivate static func word(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// The checksum of a write-ahead log, which runs from its header through all frames.
private struct Checksum: Sendable {
    private var sums: (UInt32, UInt32) = (0, 0)

    init() {}

    init(of bytes: ArraySlice<UInt8>, isBigEndian: Bool) { add(bytes, isBigEndian: isBigEndian) }

    /// Adds bytes, whose number is a multiple of 8.
    ///
    /// Every write reads its frames back, so each byte of the log is added: the order of the bytes is decided once.
    mutating func add(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
        bytes.withUnsafeBytes { bytes in
            if isBigEndian {
                add(bytes) { UInt32(bigEndian: $0) }
            } else {
                add(bytes) { UInt32(littleEndian: $0) }
            }
        }
    }

    @inline(__always)
    private mutating func add(_ bytes: UnsafeRawBufferPointer, _ word: (UInt32) -> UInt32) {
        var (first, second) = sums
        for place in 0..<bytes.count / 8 {
            let offset = place &* 8
            first &+= word(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) &+ second
            second &+= word(bytes.loadUnaligned(fromByteOffset: offset &+ 4, as: UInt32.self)) &+ first
        }
        sums = (first, second)
    }

    func isStored(in bytes: ArraySlice<UInt8>) -> Bool {
        sums == (WriteAheadLog.word(bytes.prefix(4)), WriteAheadLog.word(bytes.suffix(4)))
    }
}
