// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigServer
import ConfigWire
import Files
import Programs

/// A file of tokens, which several people and programs may edit at the same time.
struct TokenFile {
    /// A larger file is not a token file.
    private static let maximumBytes = 64 << 20

    let path: String

    /// Reads the tokens for a server, which trusts no file that others may read or change.
    func readSecret() throws(ConfigError) -> TokenTable {
        try ConfigError.catching(try PrivateFile.checkIsOfService(path, "the token file"))
        let table = try read()
        do throws(ConfigError) { try table.requireTokens() } catch { throw error.naming(source: path) }
        return table
    }

    func read() throws(ConfigError) -> TokenTable {
        try TokenTable(file: try bytes(), named: path)
    }

    private func bytes(orIfMissing empty: [UInt8]? = nil) throws(ConfigError) -> [UInt8] {
        do throws(FileError) {
            return try FileContent.bytes(at: path, atMost: Self.maximumBytes)
        } catch {
            if error.isMissing, let empty { return empty }
            let advice =
                if error.isMissing {
                    "does not exist; create it with 'livery-server token create'"
                } else if error.isTooLarge {
                    "is larger than \(Self.maximumBytes) bytes; remove unused tokens"
                } else {
                    "cannot be read; check its permissions"
                }
            throw ConfigError(.unreadable, "the token file \(path) \(advice)", underlying: error)
        }
    }

    /// Changes the file, as a whole or not at all, under a lock. Its owner, group and mode stay.
    ///
    /// - Parameters:
    ///   - makes: whether a file that is not there is made.
    ///   - dryRun: whether the file stays as it is in any case.
    ///   - change: changes the lines. If it throws, the file stays as it was.
    /// - Throws: ``ConfigError`` if the file is broken already, or cannot be read or written.
    func edit(
        making makes: Bool = false,
        dryRun: Bool = false,
        _ change: (inout TokenLines) throws -> Void
    ) throws {
        func edited() throws -> [UInt8] {
            var lines = try TokenLines(try bytes(orIfMissing: makes ? [] : nil), named: path)
            try change(&lines)
            return lines.bytes
        }
        if dryRun {
            _ = try edited()
            return
        }
        let file = AtomicFile(path: path, keepsAccess: true)
        try file.withLock(failing: { ConfigError($0) as any Error }) {
            let bytes = try edited()
            try ConfigError.catching(try file.replace(with: bytes))
        }
    }
}

/// The lines of a token file, of which each stays as it is, byte for byte, unless its token is changed.
struct TokenLines {
    private struct Line {
        var text: [UInt8]
        /// `nil` for a comment or an empty line.
        var token: AccessToken?
    }

    private var lines: [Line]
    private let name: String

    /// - Throws: ``ConfigError`` if the file is broken.
    init(_ file: [UInt8], named name: String) throws(ConfigError) {
        self.name = name
        var rest = try TokenTable(file: file, named: name).tokens[...]
        lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { text in
            let token = rest.first.flatMap { TokenTable.isToken(text) ? $0 : nil }
            if token != nil { rest.removeFirst() }
            return Line(text: Array(text), token: token)
        }
        // Behind the end of the last line.
        if lines.last?.text.isEmpty == true { lines.removeLast() }
    }

    var bytes: [UInt8] { lines.flatMap { $0.text + [UInt8(ascii: "\n")] } }

    var tokens: [AccessToken] { lines.compactMap(\.token) }

    func tokens(named name: String) -> [AccessToken] { tokens.filter { $0.name.hasSameScalars(as: name) } }

    mutating func append(_ token: AccessToken) { lines.append(Line(text: token.json, token: token)) }

    /// Removes the tokens of a name.
    ///
    /// - Throws: `ConfigError` if there are none, `ProgramFailure` if there are no others: a server does not accept a file
    ///   without tokens, which may be truncated.
    mutating func remove(named name: String) throws {
        try require(name)
        guard tokens.contains(where: { !$0.name.hasSameScalars(as: name) }) else {
            let message =
                """
                cannot remove the only token '\(name)': a server rejects an empty token file; create another token \
                first
                """
            throw ProgramFailure(.negative, "\(self.name): \(message)")
        }
        lines.removeAll { $0.token?.name.hasSameScalars(as: name) == true }
    }

    /// Sets the end of the tokens with a name, unless they end earlier. Expired ones are removed.
    ///
    /// - Returns: the token that lasts longest.
    /// - Throws: ``ConfigError`` if there are none.
    mutating func end(named name: String, at end: Timestamp, now: Timestamp) throws(ConfigError) -> AccessToken {
        try require(name)
        let former = tokens(named: name).max { ($0.expiresAt ?? .distantFuture) < ($1.expiresAt ?? .distantFuture) }
        lines = lines.compactMap { line in
            guard var token = line.token, token.name.hasSameScalars(as: name) else { return line }
            if end <= now || token.hasExpired(at: now) { return nil }
            if let sooner = token.expiresAt, sooner <= end { return line }
            token.expiresAt = end
            return Line(text: token.json, token: token)
        }
        guard let former else { throw unknown(name) }
        return former
    }

    private func require(_ name: String) throws(ConfigError) {
        if tokens(named: name).isEmpty { throw unknown(name) }
    }

    private func unknown(_ name: String) -> ConfigError {
        ConfigError(
            .notFound,
            "token '\(name)' not found; list the tokens with 'livery-server token list'",
            source: self.name
        )
    }
}

extension Timestamp {
    fileprivate static let distantFuture = Timestamp(milliseconds: .max)
}
