// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import HTTPTransport

/// The secret by which a server identifies a client. It appears neither in descriptions nor in reflection.
public struct BearerToken: Hashable, Sendable {
    private let text: String

    /// Creates a token from a text as it was given, without white space around it.
    ///
    /// - Throws: `invalidToken` if it is empty or contains anything but visible ASCII characters.
    public init(_ text: String) throws(ConfigError) {
        self.text = text.trimmed
        guard !self.text.isEmpty else {
            throw ConfigError(.invalidToken, "the token is empty; check the variable or file that contains it")
        }
        guard self.text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            let message =
                "invalid character in the token, such as a space or a line break; copy it again"
            throw ConfigError(.invalidToken, message)
        }
    }

    /// The value of an `Authorization` field; a closure, so that a request does not show it in its description either.
    package var authorization: @Sendable () -> String {
        { "Bearer " + text }
    }
}

extension BearerToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `•••`, for any token.
    public var description: String { "•••" }
    /// `•••`, for any token.
    public var debugDescription: String { description }
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

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
