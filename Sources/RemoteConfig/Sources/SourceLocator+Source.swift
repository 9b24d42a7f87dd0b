public import ConfigModel
internal import Foundation

extension SourceLocator {
    /// Makes the source that is named.
    ///
    /// - Parameters:
    ///   - tokens: what the source knows the program by, asked before each request; a file needs none.
    ///   - allowInsecureHosts: hosts beside this machine that may see the token without encryption.
    /// - Throws: ``ConfigError`` if the source cannot be made from this.
    public func source(
        tokens: TokenProvider = .fixed(nil),
        allowInsecureHosts: Set<String> = []
    ) throws(ConfigError) -> any ConfigSource {
        switch self {
        case .file(let path):
            return FileSource(path: path)
        case .document(let url):
            return DocumentSource(url: url, tokens: tokens, allowInsecureHosts: allowInsecureHosts)
        case .server(let url, let namespace):
            return try ServerSource(
                url: url,
                namespace: namespace,
                tokens: tokens,
                allowInsecureHosts: allowInsecureHosts
            )
        }
    }
}
