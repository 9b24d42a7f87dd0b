public import ConfigModel

/// Gives the token for each request anew, so that whoever logs in while a program runs need not start it again.
///
/// ```swift
/// let source = try ServerSource(url: url, tokens: TokenProvider { () throws(ConfigError) in
///     try BearerToken(vault.secret(named: "livery"))
/// })
/// ```
public struct TokenProvider: Sendable {
    private let give: @Sendable () throws(ConfigError) -> BearerToken?

    /// Creates a provider.
    ///
    /// - Parameter give: called before each attempt and not for long; `nil` shows no token. What it throws is what
    ///   the attempt fails with, and the next attempt asks again.
    public init(_ give: @escaping @Sendable () throws(ConfigError) -> BearerToken?) {
        self.give = give
    }

    /// The same token each time; none where that is `nil`.
    public static func fixed(_ token: BearerToken?) -> TokenProvider {
        TokenProvider { () throws(ConfigError) in token }
    }

    /// The token for a request that is made now.
    package func token() throws(ConfigError) -> BearerToken? { try give() }
}
