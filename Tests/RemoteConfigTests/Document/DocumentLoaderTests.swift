// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Files
import Foundation
import RemoteConfig
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DocumentLoaderTests {
    @Test(arguments: [
        ("404 Not Found", ConfigError.Code.notFound), ("500 Internal Server Error", .unavailable),
        ("401 Unauthorized", .unauthorized), ("204 No Content", .badResponse),
    ])
    func theStatusCounts(_ status: String, _ code: ConfigError.Code) async throws {
        let server = try ScriptedServer { connection, _ in
            if status.hasPrefix("204") { return try connection.send("HTTP/1.1 204 No Content\r\n\r\n") }
            try connection.respond(status, ["Content-Type": "application/json"], body: json("2.0.0"))
        }
        defer { server.stop() }
        let local = FakeLocalLoader()
        let document = RemoteDocument(
            bundledDefault: Settings(minVersion: "1.0.0"),
            local: local,
            remote: HTTPDocumentLoader(url: server.url("/settings.json?key=secret"))
        )
        guard case .failed(let error) = await document.refreshed() else {
            Issue.record("\(status) is no success")
            return
        }
        #expect(error.code == code)
        #expect(error.source?.hasSuffix("/settings.json") == true)
        #expect(document.current.minVersion == "1.0.0")
        #expect(local.persisted.entries.isEmpty)
    }

    @Test func aDocumentIsAskedForAgainOnlyIfItHasChanged() async throws {
        let server = try ScriptedServer { connection, request in
            if request["If-None-Match"] == "\"2\"" { return try connection.respond("304 Not Modified") }
            try connection.respond("200 OK", ["ETag": "\"2\""], body: json("2.0.0"))
        }
        defer { server.stop() }
        let loader = HTTPDocumentLoader(url: server.url("/settings.json"))
        #expect(try await loader.fetch(after: nil) == .document(json("2.0.0"), tag: "\"2\""))
        #expect(try await loader.fetch(after: "\"2\"") == .unchanged)
    }

    @Test func aFileIsReplacedWholeAndForTheUserAlone() throws {
        let folder = try TemporaryDirectory()
        let path = folder["deep/settings.json"]
        let loader = FileDocumentLoader(path: path)
        #expect(try loader.fetch() == nil)
        try loader.persist(json("2.0.0"))
        #expect(try loader.fetch() == json("2.0.0"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let reader = try #require(FileHandle(forReadingAtPath: path))
        try loader.persist(json("3.0.0"))
        #expect(try loader.fetch() == json("3.0.0"))
        #expect(try reader.readToEnd().map(Array.init) == json("2.0.0"), "who reads keeps the whole old file")
        #expect(try !FileManager.default.contentsOfDirectory(atPath: folder["deep"]).contains("settings.json.new"))
    }
}
