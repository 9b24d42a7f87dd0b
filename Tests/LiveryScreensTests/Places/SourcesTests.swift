// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import TerminalUI
import TestSupport
import Testing

@testable import LiveryScreens

struct SourcesTests {
    private static let server = "http://127.0.0.1:3000"

    /// A server with the namespaces `default`, `old`, which is empty, and `shop`.
    private static func model() throws -> DemoModel {
        var model = try Demo.model(size: Size(columns: 100, rows: 24))
        _ = model.begin(with: server, after: nil)
        #expect(model.press("S") == [.listSources])
        let recent = ["other.json", "\(server)/v1/shop", "https://example.org/a.json"]
        #expect(model.update(.recentSources(recent)) == [.check([server] + recent)])
        let namespaces = [("default", 3, 9), ("old", 0, 8), ("shop", 12, 7)].map { name, count, revision in
            ServerInfo.Namespace(name: name, revision: revision, count: count)
        }
        _ = model.update(.checked(server, SourceCheck(of: "default", in: namespaces)))
        return model
    }

    private static func lines(_ model: DemoModel) -> [String] {
        model.lines.compactMap { line in
            line.firstIndex(of: "│").map { String(line[$0...].dropFirst(2)) }
        }
    }

    @Test func eachSourceHasItsState() throws {
        var model = try Self.model()
        _ = model.update(.checked("other.json", SourceCheck(ConfigError(.notFound, "no such file"))))
        let refused = SourceCheck(ConfigError(.unauthorized, "token required"))
        _ = model.update(.checked("https://example.org/a.json", refused))
        let text = Self.lines(model).joined(separator: "\n")
        let expected = [
            "•default", "● live     3 keys, revision 9", "○ empty    0 keys", "✖ missing  no such", "✖ refused  token",
        ]
        for line in expected {
            #expect(text.contains(line), "\(line) in \(text)")
        }
        #expect(!text.contains("/v1/shop"), "a namespace is listed once")
    }

    @Test func aNamespaceIsFollowedByItsName() throws {
        var model = try Self.model()
        #expect(model.press("{shop}", "Enter") == [.follow("\(Self.server)/v1/shop")])
    }

    @Test func aMistypedNamespaceIsNotAnEmptyOne() throws {
        var model = try Self.model()
        model.press("{old}")
        #expect(Self.lines(model).contains { $0.contains("old") && $0.contains("○ empty") })
        model.press("Ctrl-U", "{shpo}")
        #expect(Self.lines(model).contains { $0.contains("? unknown  no history; check its name") })
        #expect(model.press("Enter") == [.follow("\(Self.server)/v1/shpo")], "it can be begun")
    }

    @Test(arguments: ["conf/other.json", "https://example.org/b.json"])
    func aTypedSourceIsFollowed(source: String) throws {
        var model = try Self.model()
        #expect(model.press("{\(source)}", "Enter") == [.follow(source)])
        _ = model.update(.reported("Cannot follow \(source): no"))
        #expect(model.lines.joined().contains("Cannot follow"))
    }

    @Test func anotherSourceIsChosenToCompareWith() throws {
        var model = try Self.model()
        model.press("Esc", "C", "Enter")
        #expect(model.lines.joined().contains("This is the source on the screen; select another one"))
        model.press("{shop}")
        let request = OperatorRequest.contentsOf(source: "\(Self.server)/v1/shop")
        #expect(model.press("Enter").contains(.request(request)))
        #expect(model.panels.map(\.kind) == [.compare("\(Self.server)/v1/shop")])
    }

    @Test func filesOfEachNormalFormAreApart() {
        let files = NormalForm.samples.map { $0 + ".json" }
        var sources = KnownSources(current: files[0], recent: files)
        for file in files.dropFirst() { sources.checks[ExactString(file)] = SourceCheck(ConfigError(.notFound, file)) }
        #expect(sources.all.map { Array($0.utf8) } == files.map { Array($0.utf8) })
        #expect(sources.rows(matching: "").map(\.isCurrent) == [true, false, false, false])
        #expect(sources.rows(matching: "").map { $0.check == nil } == [true, false, false, false])
        sources.recent = []
        #expect(sources.rows(matching: files[1]).map(\.source).contains { $0.utf8.elementsEqual(files[1].utf8) })
    }

    @Test func theCurrentSourceJustCloses() throws {
        var model = try Self.model()
        #expect(model.press("Enter") == [])
        #expect(model.panels.isEmpty)
    }

    @Test func theNextSourceKeepsTheInspectorAndTheColours() throws {
        var former = try Self.model()
        former.press("Esc", "i")
        former.main.look.colors = ColorMatcher(depth: .ansi16)
        var model = try Demo.model()
        let effects = model.begin(with: "other.json", after: former)
        #expect(effects.count == 1, "the inspector requests the rights")
        #expect(model.panels.map(\.kind) == [.inspector])
        #expect(model.main.look.colors.depth == .ansi16)
    }
}
