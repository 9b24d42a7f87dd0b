// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import RemoteConfig
import TestSupport
import Testing

/// Every way in which a file can change, from the file system to the state.
@Suite(.timeLimit(.minutes(5)))
struct FollowingFilesTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func following(_ name: String = "c.json", _ body: (RunningService) async throws -> Void) async throws {
        try await RemoteConfigTests.following(FileSource(path: folder[name]), body)
    }

    /// Follows a file that is not there, until that is known.
    private func missing(_ name: String = "c.json", _ body: (RunningService) async throws -> Void) async throws {
        try await following(name) { running in
            try await until("the file is missed") { running.problem?.code == .notFound }
            try await body(running)
        }
    }

    /// A document with the value of the key `k`.
    private func json(_ value: Int) -> String { #"{"k":\#(value)}"# }

    @Test func swappingALinkToTheFileIsFollowed() async throws {
        try folder.overwrite(json(1), at: "one.json")
        try folder.overwrite(json(2), at: "two.json")
        try folder.link("c.json", to: "one.json")
        try await following { running in
            try await running.shows(.integer(1))
            try folder.relink("c.json", to: "two.json")
            try await running.shows(.integer(2))
            try folder.overwrite(json(3), at: "two.json")
            try await running.shows(.integer(3))
            try folder.relink("c.json", to: "one.json")
            try await running.shows(.integer(1))
            try folder.replace("c.json", with: json(4))
            try await running.shows(.integer(4))
        }
    }

    @Test func deletingAndMakingAnewIsFollowed() async throws {
        try folder.overwrite(json(1), at: "c.json")
        try await following { running in
            try await running.shows(.integer(1))
            try folder.remove("c.json")
            try await until("the file is missed") { running.problem?.code == .notFound }
            #expect(running.current.status.phase == .offline)
            #expect(running.value("k") == .integer(1), "the last good state stays")
            try folder.overwrite(json(2), at: "c.json")
            try await running.shows(.integer(2))
            #expect(running.problem == nil)
            #expect(running.current.status.phase == .live)
        }
    }

    @Test func aMissingFileIsWaitedFor() async throws {
        try await missing { running in
            #expect(running.current.snapshot == .empty)
            try folder.overwrite(json(1), at: "c.json")
            try await running.shows(.integer(1))
            try folder.overwrite(json(2), at: "c.json")
            try await running.shows(.integer(2))
        }
    }

    @Test(arguments: ["a/b", "a"]) func foldersThatMoveAwayAndBackAreFollowed(moved: String) async throws {
        try folder.makeFolder("a/b")
        try folder.overwrite(json(1), at: "a/b/c.json")
        try await following("a/b/c.json") { running in
            try await running.shows(.integer(1))
            try folder.move(moved, to: "away")
            try await until("the file is missed") { running.problem?.code == .notFound }
            try folder.overwrite(json(2), at: moved == "a" ? "away/b/c.json" : "away/c.json")
            try folder.move("away", to: moved)
            try await running.shows(.integer(2))
            try folder.overwrite(json(3), at: "a/b/c.json")
            try await running.shows(.integer(3))
        }
    }

    @Test func aLinkToAFolderIsFollowedWhereverItLeads() async throws {
        for (name, value) in [("v1", 1), ("v2", 2)] {
            try folder.makeFolder(name)
            try folder.overwrite(json(value), at: name + "/c.json")
        }
        try folder.link("current", to: "v1")
        try await following("current/c.json") { running in
            try await running.shows(.integer(1))
            try folder.relink("current", to: "v2")
            try await running.shows(.integer(2))
            try folder.replace("v2/c.json", with: json(3))
            try await running.shows(.integer(3))
            try folder.remove("current")
            try await until("the file is missed") { running.problem?.code == .notFound }
            try folder.move("v1", to: "current")
            try await running.shows(.integer(1))
        }
    }
}
