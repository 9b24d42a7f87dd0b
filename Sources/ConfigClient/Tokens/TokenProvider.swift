// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// Returns the token for each request, so that credentials may change while a program runs.
///
/// A provider reads the token from its storage: a file, a keychain, a vault, a service that issues tokens for an hour. One that
/// caches a token checks which one was rejected:
///
/// ```swift
/// let tokens = TokenProvider { refused async throws(ConfigError) in
///     if refused != nil { await vault.renew() }
///     return try BearerToken(await vault.token)
/// }
/// let source = try ServerSource(url: url, tokens: tokens)
/// ```
///
/// If the server rejects a token (401), the provider is called once more; if it returns another one, the request is repeated
/// once. Only then is the error reported. Concurrent requests with the same rejected token share one call.
public struct TokenProvider: Sendable {
    private var calls: TokenCalls?
    private var fixed: BearerToken?
    /// The hash of the name of the account; `nil` if there is none.
    package let account: String?

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - account: The account of the tokens, for a `DocumentSource` or an `OFREPSource` whose server returns different values
    ///     for each account: they are cached separately for each account. Only its hash is stored.
    ///   - token: Called before each request with `nil`, and with a token that the server has just refused, for another
    ///     one. `nil` sends no token. The attempt fails with the error that it throws, and the next attempt calls it
    ///     again. The attempt waits for it for 60 s, and events of a stream wait for the attempt; neither the offline
    ///     switch nor the end of a service does. Its task is cancelled after that time, and once no request waits for it.
    public init(
        account: String? = nil,
        _ token: @escaping @Sendable (_ refused: BearerToken?) async throws(ConfigError) -> BearerToken?
    ) {
        calls = TokenCalls(token)
        self.account = account.map { SHA256.hexadecimal(of: $0) }
    }

    /// The same token each time, which counts as the account.
    public static func fixed(_ token: BearerToken) -> TokenProvider { TokenProvider(fixed: token) }

    /// No token: for a server that requires none.
    public static let anonymous = TokenProvider(fixed: nil)

    private init(fixed: BearerToken?) {
        self.fixed = fixed
        account = (fixed?.authorization()).map { SHA256.hexadecimal(of: $0) }
    }

    /// The token for a request that is made now.
    ///
    /// - Parameter refused: the one that was just refused.
    /// - Throws: the errors of the provider, and `cancelled` soon after the task was cancelled.
    package func token(after refused: BearerToken? = nil) async throws(ConfigError) -> BearerToken? {
        guard let calls else { return fixed }
        return try await calls.token(after: refused)
    }
}
