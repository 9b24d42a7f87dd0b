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
            "The server's address (default: \(ServerAddress.standard), or LIVERY_SERVER).",
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
        help: ArgumentHelp("The namespace (default: default, or LIVERY_NAMESPACE).", valueName: "name")
    )
    var namespace: String?

    @OptionGroup var connection: ConnectionOptions

    @Option(
        help: ArgumentHelp(
            "Accept only answers of this revision or a later one, from any server on the store.",
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
            let message = "a token is for a server, not for its namespace '\(named)'; use --server \(address.text)"
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
            let message = "the address names the namespace '\(named)', not '\(other)'; leave one of them out"
            throw ConfigError(.invalidSource, message)
        }
        return try ServerAddress(text, namespace: other)
    }

    func client(environment: [String: String], patience: Duration? = nil) throws(ConfigError) -> ServerClient {
        let address = try address(environment: environment)
        let tokens = try connection.tokens(for: address, environment: environment)
        return try connection.client(of: address, tokens: tokens, patience: patience)
    }
}

/// The output of one entry: its value alone, which another command reads back, or all details from the server.
struct EntryOutputOptions: ParsableArguments {
    @Flag(help: "Print the whole entry as a JSON object, with times in UTC.")
    var json = false

    @Flag(help: "Print only its value (default, on a terminal and elsewhere).")
    var plain = false

    func validate() throws {
        if json, plain { throw ValidationError("Choose either --json or --plain.") }
    }
}

extension OutputStyle {
    @MainActor
    init(_ options: OutputOptions, environment: [String: String]) {
        isTerminal = Output.standard.isTerminal
        isJSON = options.isJSON(onTerminal: isTerminal)
        guard isTerminal else { return }
        columns = Size(terminal: Output.standard.descriptor)?.columns
        let profile = TerminalProfile(choice: .auto, environment: environment)
        isColored = profile.depth != .monochrome && profile.obstacle == nil
        repertoire = .locale()
    }
}
