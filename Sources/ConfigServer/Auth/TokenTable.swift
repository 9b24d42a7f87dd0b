// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import ConfigWire

/// The tokens that a server accepts.
public struct TokenTable: Hashable, Sendable {
    /// In the order of the file. Several may have one name, if all of them but one expire.
    public private(set) var tokens: [AccessToken]

    /// Creates a table of tokens, by the rules of a token file.
    ///
    /// - Throws: `ConfigError` if a token has no valid name, if it names a namespace that cannot exist, if two tokens have one
    ///   secret, or if two tokens of one name never expire.
    public init(tokens: [AccessToken]) throws(ConfigError) {
        self.init(checked: [])
        var known: Known = ([:], [])
        for token in tokens { try add(token, &known) }
    }

    /// - Parameter tokens: those of other tables.
    init(checked tokens: [AccessToken]) { self.tokens = tokens }

    /// The tokens so far: their hashes, and the names of the lasting ones.
    private typealias Known = (names: [[UInt8]: String], lasting: Set<ExactString>)

    private mutating func add(_ token: AccessToken, _ known: inout Known) throws(ConfigError) {
        try token.check()
        if let name = known.names.updateValue(token.name, forKey: token.hash) {
            let reason = "the tokens '\(name)' and '\(token.name)' have the same secret; remove one, and create another"
            throw ConfigError(.duplicateKey, reason)
        }
        guard token.expiresAt != nil || known.lasting.insert(ExactString(token.name)).inserted else {
            let reason = "duplicate token '\(token.name)': only one token of a name can have no expiry; remove one"
            throw ConfigError(.duplicateKey, reason)
        }
        tokens.append(token)
    }
}

extension TokenTable {
    /// Reads a token file: one JSON object per line. Empty lines and lines that begin with `#` are ignored.
    ///
    /// - Parameters:
    ///   - file: the bytes of the file.
    ///   - source: the name of the file, for errors.
    /// - Throws: `ConfigError` with the line and the column.
    public init(file: [UInt8], named source: String) throws(ConfigError) {
        self.init(checked: [])
        var known: Known = ([:], [])
        let lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            guard Self.isToken(line) else { continue }
            do throws(ConfigError) {
                try add(AccessToken(json: Array(line)), &known)
            } catch {
                var error = error.naming(source: source)
                error.location = TextLocation(line: index + 1, column: error.location?.column ?? 1)
                throw error
            }
        }
    }

    /// Checks that there is a token: a file without any may be truncated.
    package func requireTokens() throws(ConfigError) {
        if !tokens.isEmpty { return }
        throw ConfigError(.syntax, "the token file contains no tokens and may be truncated; add a token")
    }

    /// Whether a line of a token file is neither empty nor a comment.
    package static func isToken(_ line: some Collection<UInt8>) -> Bool {
        let text = String(decoding: line, as: UTF8.self).trimmed
        return !text.isEmpty && text.utf8.first != UInt8(ascii: "#") && text != "\r"
    }

    /// The token of a text, even if it has expired.
    ///
    /// Compares with every token to the last byte, so that the time does not reveal how close a guess is.
    func token(_ text: some StringProtocol) -> AccessToken? {
        let hash = AccessToken.hash(text)
        var found: AccessToken?
        for token in tokens where token.hash.equals(hash) { found = token }
        return found
    }

    /// The tokens that another table has as well, with the rights that both give.
    func restricted(to other: TokenTable) -> TokenTable {
        let byHash = Dictionary(other.tokens.map { ($0.hash, $0) }) { $1 }
        return TokenTable(checked: tokens.compactMap { token in byHash[token.hash].map { token.restricted(to: $0) } })
    }

    /// The token that a ticket was made for.
    func holder(of ticket: StreamTicket, to namespace: String) -> AccessToken? {
        tokens.first { ticket.isMade(for: $0, namespace) }
    }

    /// Returns a check whether a formerly valid token still allows reading a namespace, for many streams at once.
    func readingRule(at now: Timestamp) -> @Sendable (Principal, String) -> Bool {
        let valid = tokens.filter { !$0.hasExpired(at: now) }
        let byHash = Dictionary(valid.map { ($0.hash, $0) }) { $1 }
        return { principal, namespace in
            guard let hash = principal.token?.hash, let token = byHash[hash] else { return false }
            return token.role >= .read && token.covers(namespace)
        }
    }
}
