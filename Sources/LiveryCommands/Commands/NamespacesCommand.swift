// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigWire
import Files
import Programs
import TerminalUI

struct NamespacesCommand: LiveryCommand {
    static let configuration = CommandConfiguration(
        commandName: "namespaces",
        abstract: "List namespaces.",
        usage: "livery namespaces [<options>]",
        discussion: """
            Lists each namespace that the token can read, with its number of keys and the last revision that changed \
            it. The first write creates a namespace; it exists as long as it has a key, a schema or a rule.

            EXAMPLES
              livery namespaces --server https://config.example.org
              for name in $(livery namespaces | jq -r '.namespaces[].name'); do
                livery export -n "$name" > "$name.json"
              done

            As JSON: {"server": …, "version": …, "revision": …, "namespaces": [{"name": …, "revision": …, "count": \
            …}]}, sorted by name; the outer revision is the current revision of the server.
            """
    )

    @OptionGroup var place: AddressOption
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions

    func execute() async throws {
        let environment = Program.environment
        let style = OutputStyle(output, environment: environment)
        let address = try ServerAddress(place.text(environment: environment).text)
        let tokens = try connection.tokens(for: address, environment: environment, warn: ConnectionOptions.warn)
        let client = try connection.client(of: address, tokens: tokens)
        let info = try await client.info()
        guard style.isJSON else { return try Output.standard.write(Self.table(of: info).text(style: style)) }
        try OperatorSession(client: client, style: style).writeJSON { object in
            object.member("server") { $0.string(address.text) }
            object.member("version") { $0.string(info.version) }
            object.member("revision") { $0.number(info.head.revision) }
            object.member("namespaces", each: info.namespaces) { namespace, json in
                json.object { object in
                    object.member("name") { $0.string(namespace.name) }
                    object.member("revision") { $0.number(namespace.revision) }
                    object.member("count") { $0.number(namespace.count) }
                }
            }
        }
    }

    static func table(of info: ServerInfo) -> TextTable {
        TextTable(
            headings: ["NAMESPACE", "KEYS", "REVISION"],
            rows: info.namespaces.map { [Span($0.name, .key), Span($0.count.grouped), "\($0.revision)"] }
        )
    }
}
