import ArgumentParser
import ConfigModel
import Configuration
import Foundation
import RemoteConfig

/// Where the configuration comes from, and by what right.
struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What to follow: a JSON file, the web address of one, or a Livery server.",
            valueName: "path or url"
        ),
        completion: .file()
    )
    var source: String?

    @OptionGroup var secret: TokenOptions
}

extension SourceOptions {
    /// The service that follows the source, as the options and the environment describe it.
    ///
    /// What comes over a network is kept for the next start; a file is there at the next start itself.
    ///
    /// - Throws: `ConfigError`; a `ValidationError` for an option that the source has no use for.
    func service(environment: [String: String]) throws -> SyncService {
        let provider = EnvironmentVariablesProvider(environmentVariables: environment)
        let settings = ConfigReader(provider: provider).scoped(to: "livery")
        let name = source ?? settings.string(forKey: "source", default: "config.json")
        let locator = try SourceLocator(name)
        if case .file = locator, let option = secret.given {
            throw ValidationError("\(option) is for a source on the web, and '\(name)' is a file.")
        }
        if case .document = locator, secret.tokenFile == nil, !secret.insecureHost.isEmpty {
            throw ValidationError(
                "--insecure-host is for a token, and the host of a document sees only that of --token-file."
            )
        }
        let source = try locator.source(
            tokens: try tokens(for: locator, environment: environment),
            allowInsecureHosts: Set(secret.insecureHost)
        )
        guard case .file = locator else {
            let cache = ConfigCache(environment: environment, programVersion: Livery.configuration.version)
            return SyncService(source: source, cache: cache)
        }
        return SyncService(source: source)
    }

    /// The token in the file that is named; else, for a server, the one in the environment, or the one that
    /// `livery login` has stored by the time that it is needed.
    ///
    /// A document may be on anybody's host, which is not to see what is meant for a server.
    private func tokens(
        for locator: SourceLocator,
        environment: [String: String]
    ) throws(ConfigError) -> TokenProvider {
        if let tokens = try secret.fileTokens() { return tokens }
        guard case .server(let url, let namespace) = locator else { return .fixed(nil) }
        if let token = try BearerToken.given(nil, environment: environment) { return .fixed(token) }
        let address = try ServerAddress(url.absoluteString, namespace: namespace)
        return try CredentialFile(environment: environment).tokens(for: address.text)
    }
}
