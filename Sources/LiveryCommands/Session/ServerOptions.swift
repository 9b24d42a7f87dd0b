// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigWire
import Files
import Programs
import TerminalUI

/// The address of a server.
struct AddressOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Set the server address (default: \(ServerAddress.standard), or LIVERY_SERVER).",
            valueName: "url"
        )
    )
    var server: String?
}

/// The server, the namespace and the credentials.
struct ServerOptions: ParsableArguments {
    @OptionGroup var place: AddressOption

    @Option(
        name: [.customShort("n"), .long],
        help: ArgumentHelp("Set the namespace (default: default, or LIVERY_NAMESPACE).", valueName: "name")
    )
    var namespace: String?

    @OptionGroup var connection: ConnectionOptions

    @Option(
        help: ArgumentHelp(
            "Accept only responses at this revision or later.",
            valueName: "revision"
        )
    )
    var seen: UInt64?
}

/// The revision of a namespace to read.
struct RevisionOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("Read the namespace at this revision (default: the current one).", valueName: "revision")
    )
    var at: UInt64?
}

extension AddressOption {
    func text(environment: [String: String]) -> (text: String, isOption: Bool) {
        if let server { return (server, true) }
        return (LiveryVariable.server.value(in: environment) ?? ServerAddress.standard, false)
    }

    /// The server without a namespace. The variable may contain one, since other commands use it too; the option must not.
    func server(environment: [String: String]) throws(ConfigError) -> ServerAddress {
        let (text, isOption) = text(environment: environment)
        let address = try ServerAddress(text)
        if isOption, let named = address.named {
            let message = "tokens are stored per server, not per namespace ('\(named)'); use --server \(address.text)"
            throw ConfigError(.invalidSource, message)
        }
        return address
    }
}

extension ServerOptions {
    /// The server and the namespace. An option takes precedence over a variable; if both are options, or both are variables,
    /// the address must not contain a different namespace.
    func address(environment: [String: String]) throws(ConfigError) -> ServerAddress {
        let (text, isOption) = place.text(environment: environment)
        let variable = LiveryVariable.namespace.value(in: environment)
        let named = try ServerAddress(text).named
        let other = namespace ?? (isOption && named != nil ? nil : variable)
        if let named, let other, named != other, isOption == (namespace != nil) {
            let message = "conflicting namespaces: '\(named)' in the address, '\(other)' in the option; remove one"
            throw ConfigError(.invalidSource, message)
        }
        return try ServerAddress(text, namespace: other)
    }

    /// - Parameter warn: Called if the file of `livery login` cannot be used.
    func client(
        environment: [String: String],
        patience: Duration? = nil,
        warn: (ConfigError) -> Void = ConnectionOptions.warn
    ) throws(ConfigError) -> ServerClient {
        let address = try address(environment: environment)
        let tokens = try connection.tokens(for: address, environment: environment, warn: warn)
        return try connection.client(of: address, tokens: tokens, patience: patience)
    }
}

/// The output of one entry: its value alone, as text or as JSON, or all details from the server.
struct EntryOutputOptions: ParsableArguments {
    enum Content: EnumerableFlag {
        case plain, json, details

        static func help(for content: Content) -> ArgumentHelp? {
            switch content {
            case .plain: "Print only the value (default)."
            case .json: "Print only the value, as JSON, which `set` reads back with its type."
            case .details: "Print a JSON object with the revision and the times in UTC."
            }
        }
    }

    @Flag var content = Content.plain
}

extension OutputStyle {
    @MainActor
    init(_ options: OutputOptions, environment: [String: String]) {
        isTerminal = Output.standard.isTerminal
        isJSON = options.isJSON(onTerminal: isTerminal)
        guard isTerminal else { return }
        columns = Size(terminal: Output.standard.descriptor)?.columns
        let profile = TerminalProfile(choice: .auto, environment: environment)
        isColored = profile.depth != .monochrome && profile.unsupportedReason == nil
        self.profile = isColored ? profile : nil
        repertoire = .locale()
    }
}
