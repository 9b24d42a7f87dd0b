// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigModel
import ConfigServer
import ConfigWire
import Files
import Programs

struct TokenList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List tokens.",
        usage: "livery-server token list [<options>]",
        discussion: """
            Prints the tokens in the order of the file. - marks a token that never expires, * all namespaces.

            As JSON: {"file": …, "tokens": [{"name": …, "role": …, "namespaces": [name, …] or "*", "expires_at": …}]}; \
            expires_at is null for a token that never expires.
            """
    )

    @OptionGroup var tokenFile: TokenFileOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let file = try TokenFile(path: tokenFile.path())
        let tokens = try file.read().tokens
        let isJSON = output.isJSON(onTerminal: Output.standard.isTerminal)
        try Output.standard.write(isJSON ? Self.json(of: tokens, in: file.path) : Self.table(of: tokens, clock: .local))
    }

    static func json(of tokens: [AccessToken], in path: String) -> String {
        let json = JSONWriter.object { object in
            object.member("file") { $0.string(path) }
            object.member("tokens", each: tokens) { token, json in json.object(token.writeRights) }
        }
        // A name from a file could control a terminal; as an escape it is the same JSON.
        return String(decoding: PrettyJSON.laidOut(json), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).excerpt(ofScalars: .max) }.joined(separator: "\n")
    }

    static func table(of tokens: [AccessToken], clock: ClockFormat) -> String {
        let rows =
            [["NAME", "SUBJECT", "ROLE", "NAMESPACES", "EXPIRES"]]
            + tokens.map { token in
                [
                    token.name.excerpt(ofScalars: 128), token.subject.excerpt(ofScalars: 128), token.role.rawValue,
                    token.namespaces?.sorted().joined(separator: ",") ?? "*",
                    token.expiresAt.map(clock.dateAndClock) ?? "-",
                ]
            }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return cells.dropLast().joined(separator: "  ") + "  \(row.last ?? "")\n"
        }.joined()
    }
}

extension AccessToken {
    /// Writes the name and the permissions, without the token itself.
    fileprivate func writeRights(to object: inout JSONWriter) {
        object.member("name") { $0.string(name) }
        object.member("subject") { $0.string(subject) }
        object.member("role") { $0.string(role.rawValue) }
        object.member("namespaces") { member in
            if let namespaces { member.strings(namespaces.sorted()) } else { member.string("*") }
        }
        object.member("expires_at") { $0.optional(expiresAt) { $0.string($1.description) } }
    }
}
