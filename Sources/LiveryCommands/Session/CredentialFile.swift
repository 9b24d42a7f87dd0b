// SPDX-License-Identifier: Apache-2.0

import ConfigClient
import ConfigDefinitions
import ConfigModel
import ConfigWire
import Files

/// The tokens that `livery login` keeps, one for each server, readable by their owner only: `{"servers":
/// {"https://config.example.org": {"token": "…"}}}`.
struct CredentialFile {
    let path: String

    /// - Parameter environment: `XDG_CONFIG_HOME`, else `HOME`.
    init(environment: [String: String]) {
        path = UserFolder.settings.path(to: "credentials.json", environment: environment)
    }

    /// - Throws: `unreadable`, `insecure` if others may read the file, `syntax` if it is damaged.
    func token(for server: String) throws(ConfigError) -> BearerToken? {
        guard let token = try tokens()[ExactString(server)] else { return nil }
        return try BearerToken(token)
    }

    /// The token for a server, read for each request: running programs use what `livery login` stores.
    ///
    /// - Parameter warn: Called with the error of a file that cannot be used. Requests are then made without a token,
    ///   which some servers accept.
    func tokens(for server: String, warn: (ConfigError) -> Void) -> TokenProvider {
        do throws(ConfigError) {
            _ = try token(for: server)
            return TokenProvider { _ throws(ConfigError) in try token(for: server) }
        } catch {
            warn(error)
            return TokenProvider { _ in (try? token(for: server)) ?? nil }
        }
    }

    /// Stores a token, or removes the stored one. Returns whether there was one before.
    @discardableResult
    func store(_ token: String?, for server: String) throws(ConfigError) -> Bool {
        if token == nil, FileState(path: path) == nil { return false }
        let file = AtomicFile(path: path)
        return try file.withLock(failing: ConfigError.init) { () throws(ConfigError) in
            var tokens = try tokens()
            let former = tokens[ExactString(server)]
            tokens[ExactString(server)] = token
            if former != token { try ConfigError.catching(try file.replace(with: Self.json(of: tokens))) }
            return former != nil
        }
    }

    func tokens() throws(ConfigError) -> [ExactString: String] {
        guard let bytes = try ConfigError.catching(try PrivateFile.read(path, atMost: 1024 * 1024)) else { return [:] }
        do throws(ConfigError) {
            return try Self.tokens(in: bytes)
        } catch {
            let message = "invalid credentials file (\(error)); remove the file and log in again"
            throw ConfigError(.syntax, message, source: path)
        }
    }

    static func tokens(in json: [UInt8]) throws(ConfigError) -> [ExactString: String] {
        var tokens: [ExactString: String] = [:]
        try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
            guard name == "servers" else { return try scanner.skipValue() }
            try scanner.object { (server, scanner) throws(ConfigError) in
                try scanner.object { (name, scanner) throws(ConfigError) in
                    if name == "token" {
                        tokens[ExactString(server)] = try scanner.text()
                    } else {
                        try scanner.skipValue()
                    }
                }
            }
        }
        return tokens
    }

    static func json(of tokens: [ExactString: String]) -> [UInt8] {
        let servers = tokens.map { (key: $0.key.string, value: ["token": .string($0.value)] as EntryValue) }
        let file: EntryValue = ["servers": .object(EntryObject(servers))]
        return PrettyJSON.laidOut(file.canonicalBytes)
    }
}
