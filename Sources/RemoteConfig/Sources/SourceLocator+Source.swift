public import ConfigModel
internal import Foundation

extension SourceLocator {
    /// Makes the source that is named.
    ///
    /// - Parameters:
    ///   - token: what the source knows the program by; a file needs none.
    ///   - allowInsecureHosts: hosts beside this machine that may see the token without encryption.
    /// - Throws: ``ConfigError`` if the source cannot be made from this.
    public func source(
        token: BearerToken? = nil,
        allowInsecureHosts: Set<String> = []
    ) throws(ConfigError) -> any ConfigSource {
        switch self {
        case .file(let path):
            return FileSource(path: path)
        case .document(let url):
            return DocumentSource(url: url, token: token, allowInsecureHosts: allowInsecureHosts)
        case .server(let url, let namespace):
            return try ServerSource(
                url: url,
                namespace: namespace,
                token: token,
                allowInsecureHosts: allowInsecureHosts
            )
        }
    }
}
