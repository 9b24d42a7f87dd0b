// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig

/// What the inspector shows of the world, read at one moment.
struct InspectedState: Sendable {
    var configuration: ConfigState.Current
    /// What the program does not take as the source has it, by key.
    var notes: [String: KeyNote] = [:]
    /// What each key was before.
    var history = ChangeHistory()
    /// Why a key has the value that it has, in lines; none where nobody asks for the key. On demand, since few are asked.
    var explain: @Sendable (String) -> [String] = { _ in [] }
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
