// SPDX-License-Identifier: Apache-2.0

import Basics
import Files
import Foundation
import TestSupport
import Testing

struct FileContentTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test(arguments: [(4, true), (5, true), (3, false)])
    func aFileIsReadUpToALimit(limit: Int, isRead: Bool) throws {
        try folder.write("four", to: "f")
        let path = folder["f"]
        if isRead {
            #expect(try FileContent(reading: path, atMost: limit).bytes == Array("four".utf8))
            #expect(try FileContent.bytes(at: path, atMost: limit) == Array("four".utf8))
        } else {
            let error = #expect(throws: FileError.self) { try FileContent(reading: path, atMost: limit) }
            let other = #expect(throws: FileError.self) { try FileContent.bytes(at: path, atMost: limit) }
            #expect(error?.isTooLarge == true && other?.isTooLarge == true)
        }
    }

    @Test("A byte-order mark at the beginning of a file is no content, a second one is")
    func byteOrderMarkIsRemovedOnce() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let path = folder["f"]
        try Data(mark + mark + Array("a\u{FEFF}".utf8)).write(to: URL(filePath: path))
        let content = mark + Array("a\u{FEFF}".utf8)
        #expect(try FileContent(reading: path, atMost: 20).bytes == content)
        #expect(try FileContent.bytes(at: path, atMost: 20) == content)
    }

    @Test(arguments: [(10_413_792_000, Int64.max), (-10_413_792_000, .min), (1, 1_000_000_000)])
    func aFileMayBeDatedToAnyYear(seconds: Int, modified: Int64) throws {
        try folder.write("old", to: "f")
        let path = folder["f"]
        let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
        let content = try FileContent(reading: path, atMost: 10)
        // A file system that cannot represent a date uses the nearest one.
        let isKept = FileState(path: path).map { $0.modified == modified } ?? false
        #expect(isKept || abs(content.state.modified) < Int64.max / 2)
    }

    @Test(.timeLimit(.minutes(1))) func readsPipesThatAreOpenAlready() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("piped".utf8))
        try pipe.fileHandleForWriting.close()
        let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        #expect(try FileContent.bytes(at: path, atMost: 10) == Array("piped".utf8))
    }

    @Test(.timeLimit(.minutes(1))) func nonFilesAreRejectedWithoutWaiting() throws {
        let pipe = folder["pipe"]
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, folder[""], "/dev/null"] {
            #expect { try FileContent(reading: path, atMost: 10) } throws: { ($0 as? FileError)?.isIrregular == true }
            #expect { try FileContent.bytes(at: path, atMost: 10) } throws: { ($0 as? FileError)?.isIrregular == true }
            #expect { try SystemDisk().append([1], to: path, at: 0) } throws: { $0 is FileError }
            #expect { try SystemDisk().create(path) } throws: { $0 is FileError }
        }
        #expect { try FileContent(reading: folder["gone"], atMost: 10) } throws: {
            ($0 as? FileError)?.isMissing == true && "\($0)" == "open: No such file or directory"
        }
    }

    @Test(
        arguments: [
            (0o600, nil), (0o400, nil), (0o640, nil), (0o660, nil), (0o644, "all users; run chmod o= "),
            (0o604, "all users; run chmod o= "), (0o602, "all users; run chmod o= "),
        ] as [(Int, String?)]
    )
    func aServicesSecretIsForItsUserAndGroup(mode: Int, problem: String?) throws {
        try folder.write("secret", to: "f")
        let path = folder["f"]
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        if let problem {
            #expect { try PrivateFile.checkIsOfService(path, "the token file") } throws: { error in
                let error = error as? OperationFailure
                let message = "the token file \(path) is accessible to \(problem)\(path)"
                return error?.code == .insecure && error?.message == message
            }
        } else {
            try PrivateFile.checkIsOfService(path, "the token file")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func aSecretOfAnotherGroupIsRefused() throws {
        try folder.write("secret", to: "f")
        let path = folder["f"]
        #expect(chown(path, 0, 54_321) == 0)
        for (mode, isRefused) in [(0o640, true), (0o600, false)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let outcome = Result { try PrivateFile.checkIsOfService(path, "the token file") }
            #expect((try? outcome.get()) == nil ? isRefused : !isRefused)
        }
        try PrivateFile.checkIsOfService("/dev/null", "the token file")
        try PrivateFile.checkIsOfService(folder["gone"], "the token file")
    }

    @Test(arguments: [(0o600, true), (0o400, true), (0o640, false), (0o604, false)])
    func aPrivateFileIsReadableByItsOwnerOnly(mode: Int, isPrivate: Bool) throws {
        try folder.write("secret", to: "f")
        #expect(chmod(folder["f"], mode_t(mode)) == 0)
        if isPrivate {
            #expect(try PrivateFile.read(folder["f"], atMost: 10) == Array("secret".utf8))
        } else {
            #expect { try PrivateFile.read(folder["f"], atMost: 10) } throws: {
                ($0 as? OperationFailure)?.code == .insecure
            }
        }
        #expect(try PrivateFile.read(folder["gone"], atMost: 10) == nil)
    }

    @Test func stateIdentifiesAFileAndItsVersion() throws {
        try folder.write("a", to: "f")
        let path = folder["f"]
        let before = try #require(FileState(path: path))
        #expect(before == FileState(path: path) && before.isRegular && before.size == 1)
        try AtomicFile(path: path).replace(with: [1, 2])
        let after = try #require(FileState(path: path))
        #expect(after != before && after.identity != before.identity && after.size == 2 && after.mode == 0o600)
        #expect(try AtomicFile(path: path).read() == [1, 2])
        #expect(FileState(path: folder["gone"]) == nil)
    }

    @Test(
        arguments: [
            (["XDG_CONFIG_HOME": "/x", "XDG_CACHE_HOME": "/y", "HOME": "/h"], "/x/livery", "/y/livery"),
            (["XDG_CONFIG_HOME": "x", "XDG_CACHE_HOME": "", "HOME": "/h"], "/h/.config/livery", "/h/.cache/livery"),
            (["HOME": "h"], nil, nil), ([:], nil, nil),
        ] as [([String: String], String?, String?)]
    )
    func foldersAreWhereTheDesktopSpecificationHasThem(
        _ environment: [String: String],
        _ settings: String?,
        _ caches: String?
    ) {
        #expect(UserFolder.settings.path(environment: environment) == settings)
        #expect(UserFolder.caches.path(environment: environment) == caches)
        let file = UserFolder.settings.path(to: "f", environment: environment)
        #expect(settings.map { file == $0 + "/f" } ?? file.hasSuffix("/.config/livery/f"))
    }

    #if os(Linux)
        @Test(arguments: TemporaryDirectory.names)
        func namesAreBytes(name: String) throws {
            let (path, disk) = (folder[name], SystemDisk())
            try disk.makeFolder(path)
            try disk.replace(path + "/" + name, with: [1, 2])
            #expect(try FileContent(reading: path + "/" + name, atMost: 9).bytes == [1, 2])
            #expect(FileState(path: path + "/" + name)?.size == 2)
            #expect(FileState(path: folder["n" + name]) == nil)
            #expect((path + "/" + name).folderOfPath.utf8.elementsEqual(path.utf8))
            #expect((path + "/" + name).fileNameOfPath.utf8.elementsEqual(name.utf8))
            #expect((path + "/" + name).resolvingLinks().pathBytes == (path + "/" + name).pathBytes)
            try disk.move(path + "/" + name, to: path + "/n" + name)
            #expect(try Folder.names(at: path).map(\.pathBytes) == [[0x6E] + name.pathBytes])
            let file = AtomicFile(path: path + "/a" + name)
            try file.withLock(failing: { $0 }) { () throws(OperationFailure) in try file.replace(with: [3]) }
            #expect(try file.read() == [3])
        }
    #endif

    @Test func linksAreResolvedAsFarAsThereAreFiles() throws {
        try folder.write("a", to: "real/f")
        let path = folder["link"]
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder["real"])
        let real = folder["real"].resolvingLinks()
        #expect((path + "/f").resolvingLinks() == real + "/f")
        #expect((path + "/new").resolvingLinks() == real + "/new")
        #expect((path + "/no/new").resolvingLinks() == path + "/no/new")
        for (name, target) in [("chain", "link/new"), ("loop", "loop")] {
            try folder.link(name, to: target)
        }
        #expect(folder["chain"].resolvingLinks(toNowhere: 40) == real + "/new")
        #expect(folder["loop"].resolvingLinks(toNowhere: 40).hasSuffix("/loop"))
    }

    @Test func createdFoldersArePrivateAndNotBelowBrokenLinks() throws {
        let disk = SystemDisk()
        for _ in 0..<2 { try disk.makeFolder(folder["a/b/c"]) }
        #expect(FileState(path: folder["a/b"])?.mode == 0o700)
        let path = folder["link"]
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder["gone"])
        #expect { try disk.makeFolder(path + "/c") } throws: { ($0 as? FileError)?.isMissing == true }
        try folder.write("", to: "file")
        #expect(throws: FileError.self) { try disk.makeFolder(folder["file/c"]) }
    }
}
