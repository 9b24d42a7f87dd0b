// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import HTTPTransport
import RemoteConfig
import TestSupport

/// What tests need a process of its own for: other environment variables, and descriptors and threads to count.
///
///     TransportProbe get URL [TOKEN]
///     TransportProbe reconnect URL COUNT
///     TransportProbe options URL FOLDER PIN file|bytes
@main
struct TransportProbe {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3, let url = URL(string: arguments[2]) else { return }
        switch arguments[1] {
        case "get": await get(url, token: arguments.dropFirst(3).first)
        case "reconnect": try await reconnect(to: url, count: Int(arguments[3]) ?? 0)
        case "options" where arguments.count == 6: await read(url, arguments[3], arguments[4], arguments[5])
        default: break
        }
    }

    /// Reads a document with the certificates of a folder.
    private static func read(_ url: URL, _ folder: String, _ pin: String, _ form: String) async {
        do {
            let client = TransportOptions.PEM.file(folder + "/client-both.pem")
            let bytes = Array(try Data(contentsOf: URL(filePath: folder + "/client-both.pem")))
            let options = try TransportOptions(
                certificateAuthority: .file(folder + "/ca.pem"),
                pinnedPublicKeys: [pin],
                clientCertificate: .init(form == "bytes" ? .bytes(bytes) : client)
            )
            print(try await DocumentSource(url: url, options: options).read().document?.entries.count ?? 0)
        } catch let error as ConfigError {
            print(error.code.rawValue, error)
        } catch {
            print(error)
        }
    }

    private static func get(_ url: URL, token: String?) async {
        let transport = CurlTransport(allowInsecureHosts: ["config.example"])
        do throws(ConfigError) {
            var request = HTTPRequest(url: url)
            request.authorization = try token.map { text throws(ConfigError) in try BearerToken(text).authorization }
            let response = try await transport.response(to: request)
            print(response.head.status, String(decoding: response.body, as: UTF8.self))
        } catch {
            print(error.code.rawValue, error)
        }
    }

    /// Makes connections, half of them for streams that are dropped in the middle, and counts what is left of them.
    private static func reconnect(to url: URL, count: Int) async throws {
        try await visit(url, count: 20)
        // The first wait opens what all later ones wait with.
        try await Task.sleep(for: .milliseconds(1))
        let before = try HeldResources()
        try await visit(url, count: count)
        // Threads end a little after what they worked for.
        for _ in 0..<1000 where try HeldResources().exceed(before) { try await Task.sleep(for: .milliseconds(10)) }
        let after = try HeldResources()
        print(after.exceed(before) ? "leaks: \(before), then \(after)" : "clean")
    }

    private static func visit(_ url: URL, count: Int) async throws {
        let transport = CurlTransport()
        try await withThrowingTaskGroup { group in
            for lane in 0..<4 {
                group.addTask {
                    for _ in 0..<(count / 4) { try await once(transport, url, isStream: lane % 2 == 0) }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func once(_ transport: CurlTransport, _ url: URL, isStream: Bool) async throws {
        if isStream {
            let stream = try await transport.stream(HTTPRequest(url: url.appending(path: "stream"), timeouts: .stream))
            _ = try await stream.next()
        } else {
            _ = try await transport.response(to: HTTPRequest(url: url.appending(path: "whole")))
        }
    }
}
