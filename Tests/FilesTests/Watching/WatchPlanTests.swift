// SPDX-License-Identifier: Apache-2.0

import SystemPackage
import TestSupport
import Testing

@testable import Files

struct WatchPlanTests {
    /// The plan in a file system of these links, files and folders; a name that ends in a slash is a folder.
    private func plan(for path: String, files: [String] = [], links: [String: String] = [:]) -> WatchPlan {
        WatchPlan(for: FilePath(path)) { place in
            let place = place.string
            if let target = links[place] { return .link(to: FilePath(target)) }
            if files.contains(place) { return .file }
            let isFolder = files.contains(place + "/") || (files + links.keys).contains { $0.hasPrefix(place + "/") }
            return isFolder ? .folder : .missing
        }
    }

    @Test func aPlainFileIsWatchedAndItsNameInItsFolder() {
        let plan = plan(for: "/etc/app/c.json", files: ["/etc/app/c.json"])
        #expect(plan.names == ["/": [], "/etc": [], "/etc/app": ["c.json"]])
        #expect(plan.file?.path == "/etc/app/c.json")
    }

    @Test(arguments: [
        "//etc///app/c.json", "/etc/./app/././c.json", "/etc/app/c.json/", "/etc/app/../app/c.json",
        "/../etc/app/c.json",
    ])
    func spellingsOfAPathAreOnePlan(path: String) {
        let plan = plan(for: path, files: ["/etc/app/c.json"])
        #expect(plan == self.plan(for: "/etc/app/c.json", files: ["/etc/app/c.json"]))
    }

    @Test func aFileInTheRootHasOneFolder() {
        let plan = plan(for: "/c.json", files: ["/c.json"])
        #expect(plan.names == ["/": ["c.json"]])
        #expect(plan.file?.path == "/c.json")
    }

    @Test func aLinkedFileIsWatchedByBothItsNames() {
        let plan = plan(for: "/a/c.json", files: ["/b/real.json"], links: ["/a/c.json": "/b/real.json"])
        #expect(plan.names == ["/": [], "/a": ["c.json"], "/b": ["real.json"]])
        #expect(plan.file?.path == "/b/real.json")
    }

    @Test func aLinkedFolderIsWatchedByItsNameAndFollowed() {
        let plan = plan(for: "/a/b/c.json", files: ["/x/y/c.json"], links: ["/a/b": "/x/y"])
        #expect(plan.names == ["/": [], "/a": ["b"], "/x": [], "/x/y": ["c.json"]])
        #expect(plan.file?.path == "/x/y/c.json")
    }

    @Test func relativeLinksStartAtTheirFolder() {
        let plan = plan(
            for: "/a/b/c.json",
            files: ["/a/d/e.json"],
            links: ["/a/b/c.json": "../d/./e.json", "/a/b/other": "x"]
        )
        #expect(plan.names == ["/": [], "/a": [], "/a/b": ["c.json"], "/a/d": ["e.json"]])
        #expect(plan.file?.path == "/a/d/e.json")
    }

    @Test func aLinkInTheSameFolderAddsAName() {
        let plan = plan(for: "/a/c.json", files: ["/a/v2.json"], links: ["/a/c.json": "v2.json"])
        #expect(plan.names == ["/": [], "/a": ["c.json", "v2.json"]])
        #expect(plan.file?.path == "/a/v2.json")
    }

    @Test func dotsLeadToTheFolderThatALinkLedInto() {
        // As the kernel does it: ".." after a link is the parent of the link's target.
        let plan = plan(for: "/a/l/../c.json", files: ["/x/y/", "/x/c.json", "/a/c.json"], links: ["/a/l": "/x/y"])
        #expect(plan.file?.path == "/x/c.json")
        #expect(plan.names == ["/": [], "/a": ["l"], "/x": ["c.json"], "/x/y": []])
    }

    @Test func dotsBeyondTheRootStayThere() {
        let plan = plan(for: "/../../c.json", files: ["/c.json"])
        #expect(plan.names == ["/": ["c.json"]])
        #expect(plan.file?.path == "/c.json")
    }

    @Test func dotsNeedTheFolderTheyLeave() {
        let plan = plan(for: "/a/gone/../c.json", files: ["/a/c.json"])
        #expect(plan.file == nil)
        #expect(plan.names == ["/": ["a"], "/a": ["gone"]])
    }

    @Test func aKubernetesVolumeIsWatchedAtEachOfItsLinks() {
        let plan = plan(
            for: "/etc/config/c.json",
            files: ["/etc/config/..2024_1/c.json"],
            links: ["/etc/config/c.json": "..data/c.json", "/etc/config/..data": "..2024_1"]
        )
        #expect(
            plan.names == [
                "/": [], "/etc": [], "/etc/config": ["c.json", "..data"], "/etc/config/..2024_1": ["c.json"],
            ]
        )
        #expect(plan.file?.path == "/etc/config/..2024_1/c.json")
    }

    @Test func chainsOfLinksAreFollowedToTheirEnd() {
        let chain = (0..<40).map { ("/l\($0)", $0 == 39 ? "/real/c.json" : "/l\($0 + 1)") }
        let plan = plan(for: "/l0", files: ["/real/c.json"], links: Dictionary(uniqueKeysWithValues: chain))
        #expect(plan.names == ["/": Set(chain.compactMap { FilePath($0.0).lastComponent }), "/real": ["c.json"]])
        #expect(plan.file?.path == "/real/c.json")
    }

    @Test func chainsTooLongForTheKernelLeadNowhere() {
        let chain = (0..<41).map { ("/l\($0)", $0 == 40 ? "/real/c.json" : "/l\($0 + 1)") }
        let plan = plan(for: "/l0", files: ["/real/c.json"], links: Dictionary(uniqueKeysWithValues: chain))
        #expect(plan.file == nil)
        #expect(plan.names["/"]?.count == 41, "each link may be mended")
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            ["/a/c.json": "c.json"], ["/a/c.json": "/b", "/b": "/a/c.json"], ["/a": "a"], ["/a": "./a/../a"],
            ["/a": "/a/a/a"],
        ]
    )
    func loopsEndAndStayWatched(links: [String: String]) throws {
        let plan = plan(for: "/a/c.json", links: links)
        #expect(plan.file == nil)
        for link in links.keys {
            let (folder, name) = (FilePath(link).removingLastComponent(), FilePath(link).lastComponent)
            #expect(plan.names[folder]?.contains(try #require(name)) == true, "\(link) in \(plan)")
        }
    }

    @Test func aMissingFileIsWaitedForInItsFolder() {
        let plan = plan(for: "/etc/app/c.json", files: ["/etc/app/"])
        #expect(plan.names["/etc/app"] == ["c.json"])
        #expect(plan.file == nil)
    }

    @Test func aFolderThatWaitsIsWatchedFromItsParent() {
        // It can be deleted and recreated without an event of its watch.
        let plan = plan(for: "/etc/app/c.json", files: ["/etc/app/"])
        #expect(plan.names == ["/": [], "/etc": ["app"], "/etc/app": ["c.json"]])
        let linked = self.plan(for: "/l/c.json", files: ["/x/y/"], links: ["/l": "/x/y"])
        #expect(linked.names == ["/": ["l"], "/x": ["y"], "/x/y": ["c.json"]])
    }

    @Test func aMissingFolderIsWaitedForWhereTheWayEnds() {
        let plan = plan(for: "/etc/app/deep/er/c.json", files: ["/etc/"])
        #expect(plan.names == ["/": ["etc"], "/etc": ["app"]])
        #expect(plan.file == nil)
    }

    @Test func aDanglingLinkIsWatchedAtBothItsEnds() {
        let plan = plan(for: "/a/c.json", files: ["/b/"], links: ["/a/c.json": "/b/gone/c.json"])
        #expect(plan.names == ["/": ["b"], "/a": ["c.json"], "/b": ["gone"]])
        #expect(plan.file == nil)
    }

    @Test func aFileInTheWayIsNoFile() {
        let plan = plan(for: "/a/b/c.json", files: ["/a/b"])
        #expect(plan.names == ["/": [], "/a": ["b"]])
        #expect(plan.file == nil, "writes to it do not concern c.json")
    }

    @Test func aFolderInPlaceOfTheFileIsNoFile() {
        let plan = plan(for: "/a/b", files: ["/a/b/"])
        #expect(plan.names == ["/": [], "/a": ["b"]])
        #expect(plan.file == nil, "its watch would tell of every file in it")
    }

    @Test(arguments: ["\u{301}c.json", "\u{200D}\u{301}", "e\u{301}.json", "\u{E9}.json"])
    func namesAreTakenApartByBytes(name: String) {
        let plan = plan(for: "/a/\(name)", files: ["/a/", "/a/c.json"])
        #expect(plan.names["/a"]?.map { Array($0.string.utf8) } == [Array(name.utf8)])
    }

    @Test func canonicallyEqualFoldersAreTwo() {
        let plan = plan(
            for: "/\u{E9}/c.json",
            files: ["/e\u{301}/c.json", "/\u{E9}/"],
            links: ["/\u{E9}/c.json": "/e\u{301}/c.json"]
        )
        #expect(plan.names == ["/": [], "/\u{E9}": ["c.json"], "/e\u{301}": ["c.json"]])
    }

    @Test(arguments: ["/", "", "/.", "/.."])
    func theRootIsNoFile(path: String) {
        #expect(plan(for: path).file == nil)
    }
}

struct WatchPlanFileSystemTests {
    @Test func theRealFileSystemIsReadAsItIs() throws {
        let folder = try TemporaryDirectory()
        try folder.makeFolder("real")
        try folder.overwrite("{}", at: "real/c.json")
        try folder.link("way", to: "real")
        try folder.link("loop", to: "loop")
        #expect(WatchPlan(for: AbsolutePath(folder["way/c.json"])).file?.path == FilePath(folder["real/c.json"]))
        #expect(WatchPlan(for: AbsolutePath(folder["way/c.json"])).names[FilePath(folder.path)] == ["way"])
        #expect(WatchPlan(for: AbsolutePath(folder["way"]), hasContents: true).folder == FilePath(folder["real"]))
        #expect(
            WatchPlan(for: AbsolutePath(folder["way"]), hasContents: true).nearby.names[FilePath(folder["real"])] == []
        )
        #expect(WatchPlan(for: AbsolutePath(folder["way"])).folder == nil)
        #expect(WatchPlan(for: AbsolutePath(folder["real/c.json"]), hasContents: true).folder == nil)
        #expect(WatchPlan(for: AbsolutePath(folder["real/gone.json"])).file == nil)
        #expect(WatchPlan(for: AbsolutePath(folder["loop/c.json"])).names[FilePath(folder.path)] == ["loop"])
        #expect(WatchPlan(for: AbsolutePath(folder["real/c.json/c.json"])).file == nil)
    }

    @Test func aPathBeforeACombiningMarkIsAbsolute() {
        #expect(AbsolutePath("/\u{301}/c.json").text == "/\u{301}/c.json")
        #expect(AbsolutePath("/\u{E9}") != AbsolutePath("/e\u{301}"))
    }

    @Test func aRelativePathStartsInTheCurrentFolder() {
        #expect(AbsolutePath("/a/b").text == "/a/b")
        #expect(AbsolutePath("a/b").text.hasSuffix("/a/b"))
        #expect(AbsolutePath("a/b").text.hasPrefix("/"))
    }
}
