// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigClient
package import ConfigModel
import ConfigWire
import Files
import RemoteConfig
import TerminalUI

extension SourcePlace {
    /// The values, the schemas and the rules, by one reading.
    package func contents() async throws(ConfigError) -> SourceContents {
        switch locator {
        case .server: return try await sourceOperator().contents(at: nil)
        case .file(let path) where name != DemoSource.word:
            // Its operator reads a missing file as an empty one.
            if FileState(path: path) == nil { throw ConfigError(.notFound, "the file does not exist", source: name) }
            return try await sourceOperator().contents(at: nil)
        case .file, .document:
            guard case .document(let document) = try await source().read().content else {
                return SourceContents(NamespaceContents())
            }
            return SourceContents(NamespaceContents(of: document))
        }
    }

    /// The state of the source: of a server by its list of namespaces, of others by one reading.
    package func check() async -> SourceCheck {
        do throws(ConfigError) {
            if case .server(let url, let namespace) = locator {
                return SourceCheck(of: namespace, in: try await client(url, namespace).info().namespaces)
            }
            let count = try await contents().contents.values.count
            return SourceCheck(count == 0 ? .empty : .live, count.grouped(of: "key"))
        } catch {
            return SourceCheck(error)
        }
    }
}
