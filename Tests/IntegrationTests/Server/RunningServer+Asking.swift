import Foundation
import TestSupport

extension RunningServer {
    /// Asks the server one thing, on a connection of its own.
    func ask(
        _ method: String,
        _ target: String,
        _ fields: [String] = [],
        body: String? = nil,
        token: String? = nil
    ) throws -> WireResponse {
        let connection = try WireConnection(port: port)
        connection.send(Self.request(method, target, fields, body: body, token: token))
        return try connection.response(hasBody: method != "HEAD")
    }

    /// The bytes of a request.
    static func request(
        _ method: String,
        _ target: String,
        _ fields: [String] = [],
        body: String? = nil,
        token: String? = nil
    ) -> String {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: test"] + fields
        if let token { lines.append("Authorization: Bearer \(token)") }
        if let body { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }

    /// Sets a key of the namespace `default`, and gives the status.
    func set(_ key: String, _ value: String, token: String? = nil) throws -> Int {
        try ask("PUT", "/v1/default/entries/\(key)", body: "{\"value\":\(value)}", token: token).status
    }

    /// Begins a request with a body whose end does not come yet. The server has seen its beginning when this returns.
    func beginning() throws -> WireConnection {
        let connection = try WireConnection(port: port)
        let fields = "Host: test\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 11"
        connection.send("PUT /v1/default/entries/late HTTP/1.1\r\n\(fields)\r\n\r\n")
        _ = try connection.response(hasBody: false)
        connection.send("{\"valu")
        return connection
    }

    /// The end of what ``beginning()`` begins.
    static let end = "e\":1}"
}

/// Runs the real program to its end, in a folder of its own unless told otherwise.
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
    let arguments = ["--role", role, "--namespaces", namespaces, "--token-file", folder.path(to: file)]
    let output = try liveryServer(["token", "create", name] + arguments)
    guard output.status.isSuccess else { throw OperatorDesk.UnexpectedOutput(output: output) }
    return output.standardOutput.trimmingCharacters(in: .newlines)
}
