import ArgumentParser
import ConfigModel
import Foundation
import RemoteConfig

/// Which server, which namespace, and by what right.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server's address (default: \(ServerAddress.standard), or LIVERY_SERVER).",
            valueName: "url"
        )
    )
    var server: String?

    @Option(
        name: [.customShort("n"), .long],
        help: ArgumentHelp("The namespace (default: default, or LIVERY_NAMESPACE).", valueName: "name")
    )
    var namespace: String?

    @Option(
        help: ArgumentHelp(
            "A file with the token (default: LIVERY_TOKEN, or what `livery login` stored).",
            valueName: "path"
        ),
        completion: .file()
    )
    var tokenFile: String?

    @Option(
        help: ArgumentHelp("A host that may see the token without encryption; can be repeated.", valueName: "host")
    )
    var insecureHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "Take no answer that is older, from whichever of several servers; 'set' says its revision.",
            valueName: "revision"
        )
    )
    var seen: UInt64?
}

extension ServerOptions {
    /// - Throws: `invalidSource`.
    func address(environment: [String: String]) throws(ConfigError) -> ServerAddress {
        func given(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        return try ServerAddress(
            server ?? given("LIVERY_SERVER") ?? ServerAddress.standard,
            namespace: namespace ?? given("LIVERY_NAMESPACE") ?? ConfigNamespace.standard
        )
    }

    /// - Throws: `unreadable` for a file that cannot be read, `invalidToken`.
    func token(for address: ServerAddress, environment: [String: String]) throws(ConfigError) -> BearerToken? {
        if let tokenFile {
            let text = try InputFile.text(at: tokenFile, atMost: 64 * 1024)
            return try BearerToken(text)
        }
        if let token = try BearerToken.given(nil, environment: environment) { return token }
        return try CredentialFile(environment: environment).token(for: address.text)
    }

    /// The most bytes of an answer: the entries of a large namespace with their times.
    private static let maximumAnswer = 256 * 1024 * 1024

    /// A client as the options and the environment describe it.
    func client(
        environment: [String: String],
        timeouts: HTTPTimeouts = .document
    ) throws(ConfigError) -> ServerClient {
        let address = try address(environment: environment)
        return ServerClient(
            address: address,
            token: try token(for: address, environment: environment),
            transport: CurlTransport(allowInsecureHosts: Set(insecureHost), maximumBody: Self.maximumAnswer),
            timeouts: timeouts
        )
    }
}
