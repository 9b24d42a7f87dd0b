package import ConfigModel

/// The tokens of a server.
package struct TokenTable: Hashable, Sendable {
    /// In the order of the file.
    package var tokens: [AccessToken]

    package init(tokens: [AccessToken]) {
        self.tokens = tokens
    }

    /// Reads a token file: one JSON object per line. Empty lines and those that begin with `#` are ignored.
    ///
    /// - Throws: ``ConfigError`` with the line, also for a duplicate name.
    package init(file: [UInt8], named source: String) throws(ConfigError) {
        self.init(tokens: [])
        var names: Set<String> = []
        let lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let text = String(decoding: line, as: UTF8.self).trimmed
            if text.isEmpty || text.hasPrefix("#") || text == "\r" { continue }
            do throws(ConfigError) {
                let token = try AccessToken(json: Array(line))
                guard names.insert(token.name).inserted else {
                    throw ConfigError(.duplicateKey, "duplicate name '\(token.name)'; remove one of the two")
                }
                tokens.append(token)
            } catch {
                var error = error.naming(source: source)
                error.location = TextLocation(line: index + 1, column: error.location?.column ?? 1)
                throw error
            }
        }
    }

    /// The token with this text.
    ///
    /// Compares with every token to the last byte, so that the time does not reveal how close a guess is.
    func token(_ text: some StringProtocol) -> AccessToken? {
        let hash = AccessToken.hash(text)
        var found: AccessToken?
        for token in tokens {
            let difference = zip(token.hash, hash).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
            if difference == 0 { found = token }
        }
        return found
    }
}

/// Tokens by their hashes, to judge open streams again.
struct TokenIndex: Sendable {
    private let byHash: [[UInt8]: AccessToken]

    init(_ table: TokenTable) {
        byHash = Dictionary(table.tokens.map { ($0.hash, $0) }) { $1 }
    }

    /// Whether a token that was valid before still allows reading a namespace.
    func stillAllows(_ principal: Principal, toRead namespace: String) -> Bool {
        guard let hash = principal.token?.hash, let token = byHash[hash] else { return false }
        return token.role >= .read && token.covers(namespace)
    }
}
