// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import FuzzKit
import TerminalUI

@testable import LiveryScreens

extension FuzzTarget {
    /// `keys.json`.
    ///
    /// In a map that is accepted a key does one thing, and each key reads back from its name.
    static let keys = FuzzTarget("keys") { bytes in
        let map = reading { () throws(ConfigError) in
            let document = try ConfigDocument(json: bytes, source: "keys.json")
            return try UserKeys(document, source: "keys.json", commands: ["open", "quit", "scrollUp"])
        }
        if let error = map.failure { require(!error.description.isEmpty, "an error without a text") }
        guard let map = map.success else { return }
        let keys = map.bindings.values.flatMap { Set($0) }
        for key in keys {
            require(keys.count { $0 == key } == 1, "\(key) does two things")
            require(Key(key.description) == key, "\(key) reads back as another")
        }
    }
}
