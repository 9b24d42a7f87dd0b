// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import InMemoryLogging
import Logging
import RemoteConfig
import RemoteConfigTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RemoteDocumentTests {
    private let bundled = Settings(minVersion: "1.0.0")

    private func document(
        _ local: FakeLocalLoader,
        _ remote: FakeRemoteLoader
    ) -> RemoteDocument<Settings> {
        RemoteDocument(bundledDefault: bundled, local: local, remote: remote)
    }

    @Test func itWorksOffline() async throws {
        let document = document(FakeLocalLoader(json("1.5.0")), FakeRemoteLoader(.offline))
        #expect(await document.refreshed() == .failed(ConfigError(.unreachable, "no network")))
        #expect(document.current.minVersion == "1.5.0")
    }

    @Test func whatCameFromTheSourceIsThereAtTheNextStart() async throws {
        let local = FakeLocalLoader()
        #expect(await document(local, FakeRemoteLoader(.document("2.0.0"))).refreshed() == .changed)
        #expect(document(local, FakeRemoteLoader()).current.minVersion == "2.0.0")
    }

    @Test func undecodableCopyYieldsBundledDefault() {
        for damaged in [Array("{".utf8), Array(#"{"other": 1}"#.utf8), []] {
            #expect(document(FakeLocalLoader(damaged), FakeRemoteLoader()).current == bundled)
        }
    }

    @Test func bundledDefaultIsNeverStored() async throws {
        let local = FakeLocalLoader()
        _ = document(local, FakeRemoteLoader())
        _ = await document(local, FakeRemoteLoader(.offline)).refreshed()
        #expect(local.persisted.entries.isEmpty)
        let newer = RemoteDocument(
            bundledDefault: Settings(minVersion: "3.0.0"),
            local: local,
            remote: FakeRemoteLoader()
        )
        #expect(newer.current.minVersion == "3.0.0")
    }

    @Test func aMissingDefaultIsAnErrorThatSaysWhatToDo() throws {
        let folder = try TemporaryDirectory()
        for file in [nil, URL(filePath: folder["settings.json"])] {
            let error = #expect(throws: ConfigError.self) {
                try RemoteDocument<Settings>(
                    bundledDefault: file,
                    local: FakeLocalLoader(json("2.0.0")),
                    remote: FakeRemoteLoader()
                )
            }
            #expect(error?.code == .notFound)
            #expect(error?.message.contains("resources of the program") == true)
        }
    }

    @Test func aDefaultFromAFileIsRead() throws {
        let folder = try TemporaryDirectory()
        try folder.overwrite(#"{"minVersion": "1.1.0"}"#, at: "settings.json")
        let file = URL(filePath: folder["settings.json"])
        let document = try RemoteDocument<Settings>(
            bundledDefault: file,
            local: FakeLocalLoader(),
            remote: FakeRemoteLoader()
        )
        #expect(document.current.minVersion == "1.1.0")
        try folder.overwrite(#"{"minVersion": 1}"#, at: "settings.json")
        let error = #expect(throws: ConfigError.self) {
            try RemoteDocument<Settings>(bundledDefault: file, local: FakeLocalLoader(), remote: FakeRemoteLoader())
        }
        #expect(error?.code == .typeMismatch)
        #expect(error?.message.contains("minVersion") == true)
    }
}

extension RemoteDocumentTests {
    @Test func oneRequestIsUnderWayAndOthersJoinIt() async throws {
        let remote = FakeRemoteLoader()
        let document = document(FakeLocalLoader(), remote)
        let refreshes = (0..<20).map { _ in Task { await document.refreshed() } }
        try await until("the source is asked") { remote.isAsked }
        remote.answer(.document("2.0.0"))
        for refresh in refreshes {
            let outcome = await refresh.value
            // One that came late made its own request, and none is dropped.
            #expect(outcome == .changed || outcome == .unchanged)
            while remote.isAsked { remote.answer(.document("2.0.0")) }
        }
        #expect(document.current.minVersion == "2.0.0")
    }

    @Test func aSourceThatAsksToBeLeftAloneIsNotAsked() async throws {
        var busy = ConfigError(.unavailable, "busy")
        busy.retryAfter = .seconds(20)
        let remote = FakeRemoteLoader(.failure(busy), .document("2.0.0"))
        let clock = TestClock()
        let document = RemoteDocument(bundled, FakeLocalLoader(), remote, clock: clock)
        for _ in 0..<50 { #expect(await document.refreshed() == .failed(busy)) }
        #expect(remote.tags.count == 1)
        clock.advance(by: .seconds(20))
        #expect(await document.refreshed() == .changed)
    }

    @Test func aDocumentOfAnotherTypeIsRefusedAndNotKept() async throws {
        let local = FakeLocalLoader()
        let remote = FakeRemoteLoader(.success(.document(Array("{}".utf8), tag: "bad")), .document("2.0.0"))
        let document = document(local, remote)
        guard case .failed(let error) = await document.refreshed() else {
            Issue.record("an empty object has no version")
            return
        }
        #expect(error.code == .typeMismatch)
        #expect(error.message.contains("minVersion is missing"))
        #expect(document.current == bundled)
        #expect(local.persisted.entries.isEmpty)
        #expect(await document.refreshed() == .changed)
        #expect(remote.tags == [nil, nil], "the tag of a refused document is not named")
    }

    @Test func theTagOfTheKnownDocumentIsNamed() async throws {
        let remote = FakeRemoteLoader(.document("2.0.0", tag: "a"), .success(.unchanged), .document("2.0.0", tag: "b"))
        let document = document(FakeLocalLoader(), remote)
        #expect(await document.refreshed() == .changed)
        #expect(await document.refreshed() == .unchanged)
        #expect(await document.refreshed() == .unchanged, "the same document under another tag")
        #expect(remote.tags == [nil, "a", "a"])
    }

    @Test func failedWriteIsRepeatedWithoutAChange() async throws {
        let (folder, clock) = (try TemporaryDirectory(), TestClock())
        // A folder in the place of the file's folder cannot be made while there is a file.
        try folder.overwrite("", at: "app")
        let local = FileDocumentLoader(path: folder["app/settings.json"])
        let document = RemoteDocument(bundled, local, FakeRemoteLoader(.document("2.0.0")), clock: clock)
        #expect(await document.refreshed() == .changed)
        clock.advance(by: .milliseconds(200))
        try folder.remove("app")
        try await until("it is written") {
            clock.advance(by: .milliseconds(200))
            return try local.fetch() == json("2.0.0")
        }
        #expect(clock.nextDeadline == nil, "nothing wakes an idle program")
    }

    @Test func linesOfTheLogAreConstantsWithMetadata() async throws {
        let log = InMemoryLogHandler()
        let local = FakeLocalLoader(
            Array("{".utf8),
            refusal: ConfigError(.unreadable, "the disk is full", source: "settings.json")
        )
        let document = RemoteDocument(
            bundledDefault: bundled,
            local: local,
            remote: FakeRemoteLoader(.document("2.0.0")),
            logger: Logger(label: "test") { _ in log }
        )
        #expect(await document.refreshed() == .changed)
        #expect(
            log.entries.map(\.message) == [
                "ignoring the cached document, using the bundled default",
                "cannot cache the document",
            ]
        )
        let (unread, unkept) = (try #require(log.entries.first?.metadata), try #require(log.entries.last?.metadata))
        #expect(unread["error.code"] == "type_mismatch" && unread["source"] == "the cached document")
        #expect(unkept["error.code"] == "unreadable" && unkept["source"] == "settings.json")
        #expect(unkept["error.message"] == "settings.json: the disk is full")
    }

    @Test func observersGetEachNewValueAndNoOther() async throws {
        let remote = FakeRemoteLoader(.document("2.0.0"), .document("2.0.0"), .offline, .document("3.0.0"))
        let document = document(FakeLocalLoader(), remote)
        var updates = document.updates().makeAsyncIterator()
        #expect(try await updates.next() == bundled)
        _ = await document.refreshed()
        #expect(try await updates.next()?.minVersion == "2.0.0")
        for _ in 0..<3 { _ = await document.refreshed() }
        #expect(try await updates.next()?.minVersion == "3.0.0")
    }
}
