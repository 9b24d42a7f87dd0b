// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig

/// The data that panels show, read at one moment.
struct PanelState: Sendable {
    var configuration: ConfigState.Current
    /// What the program does not take as the source has it, by key.
    var notes: [String: KeyNote] = [:]
    /// What each key was before.
    var history = ChangeHistory()
    /// Why a key has the value that it has, in lines; none where nobody asks for the key. On demand, since few are asked.
    var explain: @Sendable (String) -> [String] = { _ in [] }
    var tweaks = TweakState()
}

extension ConfigState.Current {
    /// A note where the source is a namespace of a server in which nothing was ever written: its name may be mistyped.
    var noteOnNamespace: String? {
        guard snapshot.cursor?.revision == 0 else { return nil }
        return "nothing was ever written to the namespace of \(status.source); check its name"
    }
}

/// Why the value of a key is not the one that the source has.
struct KeyNote: Hashable, Sendable {
    /// Why the source's value cannot be used, if it cannot.
    var problem: ConfigError?
    /// Whether a tweak stands before the source.
    var isTweaked: Bool
    /// The value that is used, as text.
    var valueInForce: String
}
