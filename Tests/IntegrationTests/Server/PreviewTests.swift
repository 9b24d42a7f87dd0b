// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Foundation
import RemoteConfig
import TestSupport
import Testing

/// The preview of a draft in a running program.
@Suite(.timeLimit(.minutes(5)))
struct PreviewTests {
    @Test func previewFollowsTheDraftAndLeavesNoTrace() async throws {
        let server = try await onDedicatedThread { try RunningServer() }
        let folder = try TemporaryDirectory()
        let cache = ConfigCache(app: "test", version: "1", folder: folder["cache"])
        func ask(_ method: String, _ target: String, _ body: String? = nil) async throws -> DraftMessage {
            let answer = try await onDedicatedThread { try server.ask(method, target, body: body) }
            return try DraftMessage(json: Array(answer.text.utf8))
        }
        #expect(try await onDedicatedThread { try server.set("color", "\"#111111\"") } == 201)
        let namespace = RemoteConfigService(source: try SourceLocator(server.address).source(), cache: cache)
        try await namespace.refresh()
        let stored = try bytes(in: folder)
        #expect(!stored.isEmpty)

        let draft = try await ask("POST", "/v1/default/drafts", ##"{"title": "Sky", "set": {"color": "#222222"}}"##)
        let target = "/v1/default/drafts/\(draft.summary.id)"
        let source = try SourceLocator("\(server.address)/v1/default?draft=\(draft.summary.id)").source()
        let service = RemoteConfigService(source: source, cache: cache)
        #expect(service.state.current.status.origin == .nothing, "it does not begin with the cached values")
        let run = Task { await service.run() }
        func shows(_ expected: String) async throws {
            try await until("\(expected) is shown") {
                service.value(forKey: "color", default: "") == expected
                    && service.state.current.status.phase == .streaming
            }
        }
        try await shows("#222222")
        // More edits than the resyncs that a healthy stream of a namespace has.
        for number in 3...9 {
            _ = try await ask("PATCH", target, "{\"set\": {\"color\": \"#\(number)\"}}")
            try await shows("#\(number)")
        }
        #expect(service.state.current.status.problem == nil)
        #expect(try await onDedicatedThread { try server.set("other", "1") } == 201)
        try await until("the namespace is followed") { service.value(forKey: "other", default: 0) == 1 }

        let digest = try await ask("GET", target).digest
        let applied = try await ask("POST", "\(target)/apply", "{\"digest\": \"\(digest)\"}")
        let revision = try #require(applied.summary.revision)
        try await until("the end is shown") { service.state.current.status.problem?.code == .ended }
        let problem = try #require(service.state.current.status.problem)
        #expect(problem.message.contains("it was applied as revision \(revision)"))
        #expect(service.value(forKey: "color", default: "") == "#9", "the last values stay")
        run.cancel()
        await run.value
        #expect(try bytes(in: folder) == stored)
    }

    /// The bytes of all files, by their paths.
    private func bytes(in folder: TemporaryDirectory) throws -> [String: Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return Dictionary(
            paths.compactMap { path in (try? Data(contentsOf: URL(filePath: folder[path]))).map { (path, $0) } },
            uniquingKeysWith: { $1 }
        )
    }
}
