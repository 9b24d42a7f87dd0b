// SPDX-License-Identifier: Apache-2.0

import ConfigWire
import Foundation
import TestSupport
import Testing

extension RunningServer {
    /// Sets a key of the namespace `default`, and gives the status.
    func set(_ key: String, _ value: String, token: String? = nil) throws -> Int {
        try ask("PUT", "/v1/default/entries/\(key)", body: "{\"value\":\(value)}", token: token).status
    }

    /// Publishes to a namespace.
    func publish(_ request: PublishRequest, to namespace: String = "default", token: String? = nil) throws {
        let body = String(decoding: request.json, as: UTF8.self)
        let answer = try ask("PATCH", "/v1/\(namespace)/entries", body: body, token: token)
        #expect(answer.status == 200, "\(answer.text)")
    }

    /// Begins a request with a body whose end does not come yet. The server has seen its beginning when this returns.
    func beginning() throws -> WireConnection {
        let connection = try WireConnection(port: port)
        let fields = "Host: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 11"
        connection.send("PUT /v1/default/entries/late HTTP/1.1\r\n\(fields)\r\n\r\n")
        _ = try connection.response(hasBody: false)
        connection.send("{\"valu")
        return connection
    }

    /// The end of what ``beginning()`` begins.
    static let end = "e\":1}"
}

/// Runs the real program to its end, by default in its own folder.
func liveryServer(
    _ arguments: [String],
    environment: [String: String] = [:],
    in folder: TemporaryDirectory? = nil
) throws -> Command.Output {
    let folder = try folder ?? TemporaryDirectory(prefix: "server")
    defer { withExtendedLifetime(folder) {} }
    let command = Command(
        try builtProduct(named: "livery-server"),
        arguments,
        environment: Command.environment(adding: environment),
        workingDirectory: folder.path
    )
    return try command.run(deadline: .seconds(90))
}

/// Makes a token in a file of a folder, and gives its text.
func makeToken(
    _ name: String,
    role: String,
    namespaces: String = "*",
    in folder: TemporaryDirectory,
    file: String = "tokens"
) throws -> String {
    let arguments = ["--role", role, "--namespaces", namespaces, "--token-file", folder[file]]
    let output = try liveryServer(["token", "create", name] + arguments).ofSuccess()
    return output.standardOutput.trimmingCharacters(in: .newlines)
}
