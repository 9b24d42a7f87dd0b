// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Foundation
import Logging
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

/// A cache that cannot be written for a while, and is written as soon as it can be.
@Suite(.timeLimit(.minutes(5)))
struct CacheRetryTests {
    private let clock = TestClock()
    private let source = TestSource(["limit": 1])
    private let unreliable = UnreliableDisk()
    private let disk: ScriptedDisk
    private let cache: ConfigCache

    init() throws {
        let folder = try TemporaryDirectory()
        var cache = ConfigCache(app: "test", version: "1", folder: folder["cache"])
        disk = unreliable.disk
        cache.disk = disk
        (self.cache, self.folder) = (cache, folder)
    }

    private let folder: TemporaryDirectory

    private func service() -> RemoteConfigService {
        RemoteConfigService(source: source, cache: cache, notificationCenter: NotificationCenter(), clock: clock)
    }

    private func service(_ source: PersonalSource, _ user: String) -> RemoteConfigService {
        RemoteConfigService(
            source: source,
            cache: cache,
            context: EvaluationContext(user),
            notificationCenter: NotificationCenter(),
            clock: clock
        )
    }

    private func value(_ key: String, in service: RemoteConfigService) -> EntryValue? {
        service.state.current.snapshot.entries[key]?.value
    }

    /// The value with which the next launch begins.
    private var kept: EntryValue? { value("limit", in: service()) }

    @Test(arguments: [UnreliableDisk.Fault.locked, .full, .unflushable])
    func failedWriteIsTriedAgainWithoutAChange(fault: UnreliableDisk.Fault) async throws {
        let service = service()
        try await service.running {
            #expect(kept == 1)
            clock.advance(by: .seconds(1))
            unreliable.fault = fault
            await source.publish(["limit": 2])
            #expect(service.state.current.snapshot.entries["limit"]?.value == 2)
            let problem = service.state.current.status.cacheProblem
            #expect(problem?.code == .unreadable)
            #expect(problem?.message.contains(cache.folder) == true, "it names the file")
            var pauses: [Duration] = []
            for attempt in 1...4 {
                let (due, count) = (try #require(clock.nextDeadline), unreliable.failureCount)
                pauses.append(due - clock.elapsed)
                clock.advance(by: due - clock.elapsed)
                try await until("attempt \(attempt)") { unreliable.failureCount > count && clock.nextDeadline != nil }
            }
            #expect(pauses == [0.1, 0.2, 0.4, 0.8].map { .seconds($0) })
            unreliable.fault = nil
            clock.advance(by: .seconds(2))
            try await until("it is written") { service.state.current.status.cacheProblem == nil }
            #expect(clock.nextDeadline == nil, "nothing wakes an idle program")
            #expect(kept == 2)
        }
    }

    @Test func unusableFolderIsReportedAtLaunch() async throws {
        try folder.write("", to: "file")
        try folder.write("", to: "read-only/file")
        try folder.allow(0o500, on: "read-only")
        defer { try? folder.allow(0o700, on: "read-only") }
        // Root can write anything.
        let forbidden = geteuid() == 0 ? [] : ["read-only", "read-only/below"]
        for unusable in (["file", "file/below"] + forbidden).map({ folder[$0] }) {
            let cache = ConfigCache(app: "test", version: "1", folder: unusable)
            let messages = Log<String>()
            let service = RemoteConfigService(
                source: source,
                cache: cache,
                notificationCenter: nil,
                logger: .noting(in: messages),
                clock: clock
            )
            let problem = service.state.current.status.cacheProblem
            #expect(problem?.code == .unreadable)
            #expect(problem?.message.hasPrefix("cannot write the cache \(unusable)/") == true)
            try await service.refresh()
            #expect(service.state.current.status.cacheProblem?.code == .unreadable)
            #expect(messages.entries.count { $0.contains("cannot write") } == 1, "it is logged once")
        }
        #expect(service().state.current.status.cacheProblem == nil, "this folder can be made")
        #expect(!FileManager.default.fileExists(atPath: cache.folder))
    }

    @Test func pausedServiceWritesOnceAndRetriesLater() async throws {
        let service = service()
        try await service.running {
            await source.publish(["limit": 2])
            await service.pause()
            #expect(kept == 2 && clock.nextDeadline == nil)
            await service.resume()
            unreliable.fault = .full
            await source.publish(["limit": 3])
            try await until("it cannot be written") { service.state.current.status.cacheProblem != nil }
            await service.pause()
            #expect(clock.nextDeadline == nil)
            unreliable.fault = nil
            await service.resume()
            clock.advance(by: .seconds(2))
            try await until("it is written") { service.state.current.status.cacheProblem == nil }
            #expect(kept == 3)
        }
    }

    @Test func changesDoNotWaitForALockThatIsNotFree() async throws {
        let service = service()
        try await service.running {
            unreliable.fault = .locked
            for value in 2...5 { await source.publish(["limit": .integer(value)]) }
            #expect(service.state.current.snapshot.entries["limit"]?.value == 5)
            #expect(disk.patience.entries == [.seconds(1), .seconds(1), .zero, .zero, .zero])
            unreliable.fault = nil
            clock.advance(by: .seconds(2))
            try await until("it is written") { service.state.current.status.cacheProblem == nil }
            #expect(kept == 5)
        }
    }

    @Test func userReturnsToUnwrittenValues() async throws {
        let source = PersonalSource()
        let service = service(source, "user-1")
        #expect(await service.refreshOutcome() == .changed(keys: ["user", "version"]))
        unreliable.fault = .full
        source.publish()
        clock.advance(by: .seconds(1))
        #expect(await service.refreshOutcome() == .changed(keys: ["version"]))
        await service.setContext(EvaluationContext("user-2"))
        #expect(value("version", in: service) == nil)
        await service.setContext(EvaluationContext("user-1"))
        #expect(value("user", in: service) == "user-1" && value("version", in: service) == 2)
        await service.setContext(EvaluationContext("user-2"))
        unreliable.fault = nil
        clock.advance(by: .seconds(60))
        // The cache of the former context is written too.
        try await until("it is written") { value("version", in: self.service(source, "user-1")) == 2 }
    }

    @Test func endOfTheRunIsAnotherAttempt() async throws {
        let service = service()
        await service.running {
            unreliable.fault = .full
            await source.publish(["limit": 2])
            unreliable.fault = nil
        }
        #expect(kept == 2)
    }
}
