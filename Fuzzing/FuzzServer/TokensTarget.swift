// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import FuzzKit

@testable import ConfigServer

extension FuzzTarget {
    /// Token files.
    ///
    /// Accepted input round-trips; names are unique, hashes complete, and errors have a line of the file.
    static let tokens = FuzzTarget("tokens") { bytes in
        do throws(ConfigError) {
            let table = try TokenTable(file: bytes, named: "tokens")
            let names = Set(table.tokens.map(\.name))
            require(names.count == table.tokens.count, "a name stands twice in \(table)")
            for token in table.tokens {
                require(token.hash.count == 32, "\(token.hash) is not a hash")
                require((1...128).contains(token.name.utf8.count), "\(token.name) is not a name")
            }
            let file = table.tokens.flatMap { $0.json + [UInt8(ascii: "\n")] }
            let again = try? TokenTable(file: file, named: "tokens")
            require(again == table, "\(table) is read again as \(String(describing: again))")
        } catch {
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            require((1...lines.count).contains(error.location?.line ?? 0), "\(error) is not in \(bytes)")
        }
    }
}
