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

    @Option(
        help: ArgumentHelp("A host that may see the token without encryption; can be repeated.", valueName: "host")
    )
    var insecureHost: [String] = []
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
        if case .file = locator, !insecureHost.isEmpty {
            throw ValidationError("--insecure-host is for a source on the web, and '\(name)' is a file.")
        }
        let source = try locator.source(
            tokens: try tokens(for: locator, environment: environment),
            allowInsecureHosts: Set(insecureHost)
        )
        guard case .file = locator else {
            let cache = ConfigCache(environment: environment, programVersion: Livery.configuration.version)
            return SyncService(source: source, cache: cache)
        }
        return SyncService(source: source)
    }

    /// The token in the environment, else the one that `livery login` has stored for the server by the time that it
    /// is needed.
    private func tokens(
        for locator: SourceLocator,
        environment: [String: String]
    ) throws(ConfigError) -> TokenProvider {
        if case .file = locator { return .fixed(nil) }
        if let token = try BearerToken.given(nil, environment: environment) { return .fixed(token) }
        guard case .server(let url, let namespace) = locator else { return .fixed(nil) }
        let address = try ServerAddress(url.absoluteString, namespace: namespace)
        return try CredentialFile(environment: environment).tokens(for: address.text)
    }
}
