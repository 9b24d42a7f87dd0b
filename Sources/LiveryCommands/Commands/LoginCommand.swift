// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigWire
import Files
import HTTPTransport
import Programs
import TerminalUI

struct LoginCommand: LiveryCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Store the token for a server.",
        usage: "livery login [<options>]",
        discussion: """
            Reads the token from the terminal without echo, from standard input if that is not a terminal, or from \
            --token-file, verifies it with the server, and stores it in $XDG_CONFIG_HOME/livery/credentials.json, \
            which only you can read. `livery logout` removes it.
            """
    )

    @Flag(help: "Read the token from standard input, even if that is a terminal.")
    var stdin = false

    @OptionGroup var address: AddressOption
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        if stdin, connection.tokenFile != nil {
            throw ValidationError("--stdin and --token-file are mutually exclusive.")
        }
    }

    func execute() async throws {
        let environment = Program.environment
        let address = try address.server(environment: environment)
        guard try await isAsked(for: address) else {
            return Output.error.writeLine("\(address.text) requires no token; nothing was stored.")
        }
        let text = try token(for: address)
        let info = try await connection.client(of: address, tokens: .fixed(try BearerToken(text))).info()
        let file = CredentialFile(environment: environment)
        try file.store(text.trimmed, for: address.text)
        let server = "\(address.text) (livery-server \(info.version))"
        Output.error.writeLine("Stored the token for \(server) in \(file.path).".sanitized())
    }

    /// Whether the server requires a token at all.
    private func isAsked(for address: ServerAddress) async throws(ConfigError) -> Bool {
        do throws(ConfigError) {
            _ = try await connection.client(of: address, tokens: .anonymous).info()
            return false
        } catch {
            if error.code == .unauthorized { return true }
            throw error
        }
    }

    private func token(for address: ServerAddress) throws(ConfigError) -> String {
        if let file = connection.tokenFile { return try ConnectionOptions.text(ofTokenFile: file) }
        let isTerminal = StandardInput.isTerminal && !stdin
        let text =
            isTerminal
            ? SecretPrompt.read("Token for \(address.text): ")
            : try InputFile.text(at: "-", atMost: 64 * 1024, mayBeEmpty: true)
        return text ?? ""
    }
}

struct LogoutCommand: LiveryCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Remove the token for a server.",
        usage: "livery logout [<options>]"
    )

    @OptionGroup var address: AddressOption

    func execute() async throws {
        let environment = Program.environment
        let address = try address.server(environment: environment)
        let wasStored = try CredentialFile(environment: environment).store(nil, for: address.text)
        let what = wasStored ? "Removed the token for" : "No stored token for"
        Output.error.writeLine("\(what) \(address.text).")
    }
}
