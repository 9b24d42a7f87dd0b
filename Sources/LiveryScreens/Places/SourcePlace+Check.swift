// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import RemoteConfig
import TerminalUI

extension SourcePlace {
    /// The state of the source: of a server by its list of namespaces, of others by one reading.
    package func check() async -> SourceCheck {
        do throws(ConfigError) {
            if case .server(_, let namespace) = locator {
                return SourceCheck(of: namespace, in: try await sourceOperator().namespaces())
            }
            let count: Int
            switch try await source().read().content {
            case .document(let document): count = document.entries.count
            case .entries(let entries): count = entries.count
            case .snapshot(let snapshot, _): count = snapshot.entries.count
            case .unchanged, .changes, .layers: count = 0
            }
            return SourceCheck(count == 0 ? .empty : .live, count.grouped(of: "key"))
        } catch {
            return SourceCheck(error)
        }
    }
}
