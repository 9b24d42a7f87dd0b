// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigWire
import RemoteConfig
import TerminalUI

/// The state of a source that one request has shown.
package struct SourceCheck: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
        case live
        /// A namespace whose values were all removed, or a file without any.
        case empty
        /// A namespace in which nothing was ever written: its name may be mistyped.
        case unwritten
        case refused, missing, offline, invalid
    }

    package var state: State
    /// The contents in a few words, or the reason why they cannot be read.
    package var detail: String
    /// The namespaces of the server, if the source is one.
    package var namespaces: [ServerInfo.Namespace]

    package init(_ state: State, _ detail: String, namespaces: [ServerInfo.Namespace] = []) {
        (self.state, self.detail, self.namespaces) = (state, detail, namespaces)
    }
}

extension SourceCheck {
    /// The state of a namespace by the list of its server.
    package init(of namespace: String, in namespaces: [ServerInfo.Namespace]) {
        let known = namespaces.first { $0.name == namespace }
        self = known.map(SourceCheck.init) ?? SourceCheck(.unwritten, "no history; check its name")
        self.namespaces = namespaces
    }

    init(_ namespace: ServerInfo.Namespace) {
        let keys = namespace.count.grouped(of: "key")
        let state: State = namespace.count > 0 ? .live : namespace.revision > 0 ? .empty : .unwritten
        self.init(state, "\(keys), revision \(namespace.revision)")
    }

    /// The state of a source that cannot be read.
    package init(_ error: ConfigError) {
        let state: State =
            switch error.code {
            case .unauthorized, .forbidden: .refused
            case .notFound: .missing
            case .unreachable, .unavailable: .offline
            default: .invalid
            }
        self.init(state, error.message)
    }

    /// A glyph and a word.
    var title: String {
        switch state {
        case .live: "● live"
        case .empty: "○ empty"
        case .unwritten: "? unknown"
        case .refused: "✖ refused"
        case .missing: "✖ missing"
        case .offline: "○ offline"
        case .invalid: "✖ error"
        }
    }
}
