// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI
import TestSupport
import Testing

@testable import LiveryScreens

struct StartTests {
    /// A program whose file does not exist.
    private static func model() async throws -> DemoModel {
        let folder = try TemporaryDirectory()
        let source = FileSource(path: folder["config.json"])
        var problem = try #require(
            await #expect(throws: ConfigError.self) { try await source.read(after: SourcePosition()) }
        )
        problem.source = "config.json"
        var model = try Demo.model("{}")
        model.fail(problem)
        return model
    }

    @Test func aMissingFileOffersThreeChoices() async throws {
        var model = try await Self.model()
        #expect(model.panels.map(\.kind) == [.start])
        let text = model.lines.joined(separator: "\n")
        for choice in ["config.json does not exist", "1 Create config.json", "2 Follow a server", "3 Show the demo"] {
            #expect(text.contains(choice), "\(choice) in \(text)")
        }
        #expect(model.press("1") == [.createFile("config.json")])
        #expect(model.press("Down", "Down", "Enter") == [.follow("demo:")])
        #expect(model.press("2") == [.listSources])
        model.press("Esc")
        try model.read(Demo.pink)
        #expect(model.panels.isEmpty, "there is a configuration")
    }

    @Test func aClosedCardStaysClosed() async throws {
        var model = try await Self.model()
        let problem = try #require(model.problems.first)
        model.press("Esc")
        #expect(model.lines.joined().contains("To create it, run:"))
        model.fail(problem)
        #expect(model.panels.isEmpty)
    }

    @Test func theKeysOfTheMainScreenGoOn() async throws {
        var model = try await Self.model()
        model.press("i")
        #expect(model.panels.last?.kind == .inspector)
        model.press("Esc")
        #expect(model.press("q") == [.quit(signal: nil)])
    }

    /// The program on a namespace that was never written.
    private func emptyNamespace(operator isOperator: Bool = false) throws -> DemoModel {
        var model = try Demo.model("{}")
        if isOperator { model.desk.abilities = .all }
        var next = model.state
        let cursor = RevisionCursor(epoch: try #require(Epoch("0123456789abcdef")), revision: 0)
        next.configuration.snapshot = EntrySnapshot(kept: ConfigEntries(), cursor: cursor)
        _ = model.update(.changed(next))
        return model
    }

    @Test func aNamespaceThatWasNeverWrittenIsNamed() throws {
        var model = try emptyNamespace()
        #expect(model.lines.joined().contains("Empty namespace"))
        #expect(model.press("1") == [.listSources])
    }

    @Test func anOperatorImportsAFileIntoAnEmptyNamespace() throws {
        var model = try emptyNamespace(operator: true)
        #expect(model.lines.joined().contains("1 Import a file"))
        model.press("1")
        #expect(model.panels.last?.kind == .importFile)
        model.press("Esc")
        #expect(model.panels.last?.kind == .start)
    }
}
