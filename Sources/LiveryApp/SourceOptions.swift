// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigDefinitions
import ConfigModel
import ConfigRules
import Essentials
import Files
import LiveryCommands
import LiveryScreens
import Programs
import RemoteConfig
import TerminalUI

/// The source of the configuration, and its credentials.
struct SourceOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The source to follow: a JSON file, the URL of one, or a Livery server (default: config.json).",
            valueName: "source"
        ),
        completion: .file()
    )
    var place: String?

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var audience: ContextOptions

    @Flag(help: "Do not read or write the cache of the last good values.")
    var noCache = false
}

extension UserKeys {
    /// The keys that the user has bound; the default ones, after a warning, if the file cannot be used.
    static func usable(environment: [String: String]) -> UserKeys {
        do throws(ConfigError) {
            return try DemoApp.keys(environment: environment)
        } catch {
            Output.error.writeLine("livery: \(error.description.sanitized()); using the default keys")
            return .none
        }
    }
}

extension SourceOptions {
    /// Whether a word has what paths and addresses have, and names of commands have not.
    static func isPlace(_ word: String) -> Bool { word.utf8.contains { ".:/".utf8.contains($0) } }

    /// Whether a word is the address of a server without its scheme, such as `localhost:3000`.
    static func isHostAndPort(_ word: String) -> Bool {
        let parts = word.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let isDigit = { (byte: UInt8) in 0x30...0x39 ~= byte }
        let isOfName = { (byte: UInt8) in isDigit(byte) || 0x61...0x7A ~= byte | 0x20 || ".-".utf8.contains(byte) }
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return false }
        return parts[0].allSatisfy(isOfName) && parts[1].allSatisfy(isDigit)
    }

    /// The message for a word that is neither a command nor a place.
    private static func message(onUnknown word: String) -> String {
        let names = Livery.configuration.subcommands.map { $0._commandName }
        let advice = word.suggestion(of: names).map { "did you mean '\($0)'?" } ?? "'livery --help' lists the commands."
        return "'\(word)' is neither a command nor a file; \(advice)"
    }

    /// - Parameter unknown: the message for a word that is not a source.
    /// - Throws: a `ValidationError` for such a word.
    static func checkPlace(_ word: String, unknown: (String) -> String = message(onUnknown:)) throws(ValidationError) {
        if FileState(path: word) != nil { return }
        if isHostAndPort(word) { throw ValidationError("'\(word)' is not a file; for a server, use http://\(word)") }
        if !isPlace(word) { throw ValidationError(unknown(word)) }
    }

    /// - Parameter unknown: the message for a word that is not a source.
    /// - Throws: a `ValidationError` for such a word.
    func check(unknown: (String) -> String = message(onUnknown:)) throws(ValidationError) {
        guard let place else { return }
        try Self.checkPlace(place, unknown: unknown)
    }

    /// The service that follows a source; its values are cached for the next start.
    func service(of place: SourcePlace, environment: [String: String]) throws -> RemoteConfigService {
        var settings = ServiceSettings()
        let version = SemanticVersion.livery.description
        // One cache for all installed versions, wherever they are.
        if !noCache { settings.cache = ConfigCache(app: "livery", version: version, environment: environment) }
        // Once the screen shows the change.
        settings.pauseBeforeCaching = .milliseconds(200)
        (settings.context, settings.notificationCenter) = (try context, nil)
        settings.unusableKeys = DemoConfig.unusableKeys
        return RemoteConfigService(source: try place.source(), settings)
    }

    /// The name of the source, as on the command line.
    private func name(environment: [String: String]) -> String {
        place ?? LiveryVariable.source.value(in: environment) ?? "config.json"
    }

    /// The sources that the screens can switch to.
    func directory(environment: [String: String]) -> SourceDirectory {
        SourceDirectory(
            current: name(environment: environment),
            recent: RecentSources(environment: environment),
            open: { name in
                let (options, environment) = try options(forSource: name, environment: environment)
                let place = try options.sourcePlace(environment: environment) { _ in }
                try options.refuse(place, at: FileStore.tweaksPath(environment: environment))
                let service = try options.service(of: place, environment: environment)
                return FollowedSource(service, access: try place.sourceOperator())
            },
            check: { name in
                do throws(ConfigError) {
                    return try await otherPlace(name, environment: environment).check()
                } catch {
                    return SourceCheck(.invalid, error.message)
                }
            },
            contents: { name in
                do throws(ConfigError) {
                    return .success(try await otherPlace(name, environment: environment).contents())
                } catch {
                    return .failure(error)
                }
            }
        )
    }

    private func otherPlace(_ name: String, environment: [String: String]) throws(ConfigError) -> SourcePlace {
        do {
            let (options, environment) = try options(forSource: name, environment: environment)
            return try options.sourcePlace(environment: environment) { _ in }
        } catch {
            throw error as? ConfigError ?? ConfigError(.invalidSource, "\(error)")
        }
    }

    /// The options for another source. The token and the other credentials of this one are for its own server alone.
    private func options(
        forSource name: String,
        environment: [String: String]
    ) throws -> (options: SourceOptions, environment: [String: String]) {
        var (options, others) = (self, environment)
        options.place = name
        let (own, next) = (try SourceLocator(self.name(environment: environment)), try SourceLocator(name))
        if own == next { return (options, environment) }
        if case .server(let ownURL, _, _) = own, case .server(let url, _, _) = next, ownURL == url {
            return (options, environment)
        }
        options.connection = .usual
        others[LiveryVariable.token.name] = nil
        return (options, others)
    }

    /// - Throws: `invalidSource` if the source is a file that this program writes.
    func refuse(_ place: SourcePlace, at written: String) throws {
        guard case .file(let path) = place.locator else { return }
        let (source, target) = (FileState(path: path), FileState(path: written))
        let isSame = source == nil ? AbsolutePath(path) == AbsolutePath(written) : source?.identity == target?.identity
        guard isSame else { return }
        let message = "livery stores its tweaks in this file; use a copy of it as the source"
        throw ConfigError(.invalidSource, message, source: place.name)
    }

    /// The evaluation context that rules match against; `nil` if none was given.
    var context: EvaluationContext? {
        get throws {
            try audience.context?.withStandardAttributes(programVersion: SemanticVersion.livery.description)
        }
    }

    /// The address of the source, for any number of connections.
    ///
    /// - Parameter warn: Called if the file of `livery login` cannot be used.
    func sourcePlace(
        environment: [String: String],
        warn: (ConfigError) -> Void = ConnectionOptions.warn
    ) throws -> SourcePlace {
        let name = name(environment: environment)
        let locator = try SourceLocator(name)
        if case .file = locator, let option = connection.given {
            throw ValidationError("\(option) requires a URL as the source; '\(name)' is a file.")
        }
        if case .document = locator, connection.tokenFile == nil, !connection.insecureHost.isEmpty {
            throw ValidationError(
                "--insecure-host requires --token-file if the source is a document."
            )
        }
        if case .file(let path) = locator { try InputFile.refuseOutput(to: path) }
        let tokens = try tokens(for: locator, environment: environment, warn: warn)
        return SourcePlace(
            name: name,
            locator: locator,
            tokens: tokens,
            insecureHosts: Set(connection.insecureHost),
            options: try connection.transportOptions()
        )
    }

    /// A document may be on any host, which must not receive a server's token.
    private func tokens(
        for locator: SourceLocator,
        environment: [String: String],
        warn: (ConfigError) -> Void
    ) throws(ConfigError) -> TokenProvider {
        guard case .server(let url, let namespace, _) = locator else {
            return try connection.fileTokens() ?? .anonymous
        }
        let address = try ServerAddress(url.absoluteString, namespace: namespace)
        return try connection.tokens(for: address, environment: environment, warn: warn)
    }
}
