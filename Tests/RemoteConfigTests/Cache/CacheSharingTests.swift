// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import TestSupport
import Testing

@testable import RemoteConfig

/// Several programs with one cache.
@Suite(.timeLimit(.minutes(5)))
struct CacheSharingTests {
    private let desk: CacheDesk
    private let history = CacheHistory(count: 60)

    init() throws { desk = try CacheDesk() }

    @Test func twoProcessesShareAFile() throws {
        var (one, two) = (desk.file(), desk.file())
        try history.keep(0, in: &one)
        _ = two.load()
        for revision in 1..<60 {
            if revision % 3 != 0 { try history.keep(revision, in: &one) }
            if revision % 3 == 0 || revision % 2 == 0 { try history.keep(revision, in: &two) }
            #expect(desk.kept(of: history) == revision)
            if revision % 3 == 0 { try history.keep(revision, in: &one) }
        }
        #expect(desk.warnings.entries.isEmpty)
    }

    @Test func olderStateDoesNotOverwriteTheNewest() throws {
        var (one, two) = (desk.file(), desk.file())
        try history.keep(0, in: &one)
        _ = two.load()
        for revision in 1...20 { try history.keep(revision, in: &one) }
        for revision in 1...10 {
            try history.keep(revision, in: &two)
            #expect(desk.kept(of: history) == 20)
        }
        try history.keep(25, after: 10, in: &two)
        #expect(desk.kept(of: history) == 25)
    }

    @Test func manyWritersAtOnceLeaveTheNewest() async throws {
        let (path, history) = (desk.folder["cache"], history)
        try await withThrowingTaskGroup { group in
            for writer in 0..<4 {
                group.addTask {
                    try await onThread {
                        var file = CacheFile(path)
                        var base = history.revision(of: file.load()) ?? -1
                        for revision in stride(from: writer, to: 60, by: 1) where revision > base {
                            try history.keep(revision, after: base, in: &file)
                            base = revision
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(desk.kept(of: history) == 59)
        #expect(desk.warnings.entries.isEmpty)
    }

    /// Systems use the numbers of deleted files again: after two compactions by others, another file may be in the
    /// place of the one that is known, with its number and its length.
    @Test(arguments: [(next: 4, kept: 5), (next: 6, kept: 6), (next: 9, kept: 9)])
    func similarFileIsReadAgain(next: Int, kept: Int) throws {
        // Every state of these has the same length.
        let history = CacheHistory(count: 10, keys: 0)
        let elsewhere = try CacheDesk()
        var (one, other) = (desk.file(), elsewhere.file())
        for revision in 0...2 { try history.keep(revision, in: &one) }
        for revision in 3...5 { try history.keep(revision, after: revision == 3 ? -1 : nil, in: &other) }
        #expect(try desk.bytes.count == elsewhere.bytes.count && desk.bytes != elsewhere.bytes)
        try desk.write(elsewhere.bytes)
        try history.keep(next, after: 2, in: &one)
        #expect(desk.kept(of: history) == kept)
        #expect(desk.warnings.entries.isEmpty)
    }

    /// A store that was restored may have other values at a revision.
    @Test func otherValuesAtTheSameRevisionAreReplacedWhole() throws {
        var (one, two) = (desk.file(), desk.file())
        try CacheHistory(count: 5, keys: 8).keep(4, after: -1, in: &one)
        try history.keep(5, after: 4, in: &two)
        #expect(desk.kept(of: history) == 5)
    }

    /// - Parameters:
    ///   - kept: what is in the file, by other programs.
    ///   - shown: what this program shows.
    ///   - next: the revision that the server reports.
    @Test(arguments: [
        (kept: 9, shown: 9, next: 5, isReset: true, result: 5),
        // Another process had seen more of the lost history.
        (kept: 12, shown: 9, next: 5, isReset: true, result: 5),
        (kept: 9, shown: 9, next: 0, isReset: true, result: 0),
        // Another process has seen the reset earlier, and a change after it.
        (kept: 7, shown: 9, next: 5, isReset: true, result: 7),
        (kept: 5, shown: 9, next: 7, isReset: true, result: 7),
        (kept: 9, shown: 9, next: 5, isReset: false, result: 9),
    ])
    func resetByTheServerWins(kept: Int, shown: Int, next: Int, isReset: Bool, result: Int) throws {
        var (writer, file) = (desk.file(), desk.file())
        try history.keep(kept, after: -1, in: &writer)
        try history.keep(next, after: shown, isReset: isReset, in: &file)
        #expect(desk.kept(of: history) == result)
    }
}

/// Runs blocking work on a separate thread.
private func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}
