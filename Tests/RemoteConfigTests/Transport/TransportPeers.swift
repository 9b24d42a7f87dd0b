// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Foundation
import TestSupport
import Testing

@testable import RemoteConfig

/// Every client of a server that takes options.
enum OptionUser: CaseIterable, Sendable {
    case document, serverRead, serverEvents

    /// - Parameter url: of the server; there is a document at `/c.json`, and a namespace.
    func ask(_ url: URL, _ options: TransportOptions, tokens: TokenProvider = .anonymous) async throws {
        let document = url.appending(path: "c.json")
        switch self {
        case .document:
            let source = DocumentSource(url: document, tokens: tokens, options: options)
            #expect(try await source.read().document?.entries.count == 1)
        case .serverRead:
            let reading = try await ServerSource(url: url, tokens: tokens, options: options).read()
            #expect(reading.content == .snapshot(ServedFiles.snapshot))
        case .serverEvents:
            let events = Log<SourceEvent>()
            try await ServerSource(url: url, tokens: tokens, options: options).follow(after: SourcePosition()) {
                events.append($0)
            }
            #expect(events.entries.contains(.server(ServedFiles.hello)))
        }
    }
}

/// The responses of servers in tests of options.
enum ServedFiles {
    static let snapshot = {
        let entries: [String: EntryValue] = ["k": .string("v")]
        let digest = ConfigDigest(entries.map { ($0.key, $0.value) })
        return ServerSnapshot(
            cursor: RevisionCursor(epoch: Epoch(rawValue: 1), revision: 1),
            digest: digest,
            entries: entries
        )
    }()

    static let hello = StreamEvent.hello(snapshot.cursor, snapshot.digest)

    /// Whole answers by their paths.
    static let all: [String: String] = [
        "/c.json": answer("application/json", #"{"k": "v"}"#),
        "/v1/default/config": answer("application/json", text(ConfigAnswer.snapshot(snapshot, isReset: false).json)),
        "/v1/default/events": answer("text/event-stream", text(hello.encoded)),
    ]

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func answer(_ type: String, _ body: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    static func redirect(to url: URL) -> String {
        "HTTP/1.1 307 Elsewhere\r\nLocation: \(url.absoluteString)\r\nContent-Length: 0\r\n\r\n"
    }

    /// A script for a server without encryption.
    static func answer(_ connection: ScriptedConnection, _ request: ScriptedRequest) throws {
        guard let answer = all[request.target] else { return try connection.respond("404 Not Found", [:], "") }
        try connection.send(answer)
    }
}

extension TestCertificates {
    static func made() async throws -> TestCertificates {
        try await onDedicatedThread {
            let certificates = try TestCertificates()
            for (path, answer) in ServedFiles.all {
                try certificates.folder.write(answer, to: String(path.dropFirst()))
            }
            return certificates
        }
    }

    func server(as name: String = "server", wantsCertificate: Bool = false) async throws -> OpenSSLServer {
        try await onDedicatedThread { try OpenSSLServer(self, as: name, wantsCertificate: wantsCertificate) }
    }

    var authority: TransportOptions.PEM { .file(path("ca.pem")) }
}

extension OpenSSLServer {
    func url(host: String = "127.0.0.1") throws -> URL { try #require(URL(string: "https://\(host):\(port)")) }
}

/// Expects a failure of this kind, without secrets.
func expectFailure(
    _ code: ConfigModel.ConfigError.Code,
    _ words: String,
    at location: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    let error = await #expect(throws: ConfigModel.ConfigError.self, sourceLocation: location) { try await body() }
    #expect(error?.code == code, "\(String(describing: error))", sourceLocation: location)
    #expect(error?.message.contains(words) == true, "\(String(describing: error))", sourceLocation: location)
    let shown = "\(String(describing: error)) \(error?.underlying.map { "\($0)" } ?? "")"
    for secret in ["s3cret", TestCertificates.password] {
        #expect(!shown.contains(secret), sourceLocation: location)
    }
}
