// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Files

struct PathCompletionTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        for name in ["config-a.json", "config-b.json", "other/x.json", ".hidden"] { try folder.write("{}", to: name) }
    }

    @Test func commonBeginningIsCompleted() throws {
        let found = try PathCompletion(of: folder["co"], home: nil)
        #expect(found.path == folder["config-"] && found.folder == folder.path + "/")
        #expect(found.names == ["config-a.json", "config-b.json"] && found.count == 2)
    }

    @Test func nameOfAFolderEndsInASlash() throws {
        let found = try PathCompletion(of: "~/o", home: folder.path)
        #expect(found.path == "~/other/" && found.names == ["other/"])
    }

    @Test func hiddenNamesRequireTheirDot() throws {
        #expect(try PathCompletion(of: folder[""], home: nil).count == 3)
        #expect(try PathCompletion(of: folder["."], home: nil).names == [".hidden"])
    }

    @Test func unknownNamesLeaveThePath() throws {
        let found = try PathCompletion(of: folder["zz"], home: nil)
        #expect(found.path == folder["zz"] && found.names.isEmpty)
        #expect(throws: FileError.self) { try PathCompletion(of: folder["nowhere/a"], home: nil) }
    }

    @Test func longListsAreCounted() throws {
        for number in 10..<30 { try folder.write("", to: "many/f\(number)") }
        let found = try PathCompletion(of: folder["many/"], home: nil)
        #expect(found.names.count == 8 && found.count == 20 && found.path == folder["many/f"])
    }

    @Test(arguments: [("~", "/h"), ("~/a", "/h/a"), ("~ann/a", "~ann/a"), ("/~/a", "/~/a"), ("", "")])
    func homeReplacesTheTilde(path: String, expected: String) {
        #expect(path.expandingHome("/h") == expected)
        #expect(path.expandingHome(nil) == path)
    }
}
