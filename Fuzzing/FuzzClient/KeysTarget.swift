// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import FuzzKit
import TerminalUI

@testable import DemoKeys

extension FuzzTarget {
    /// `keys.json`.
    ///
    /// In a map that is accepted a key does one thing, and each key reads back from its name.
    static let keys = FuzzTarget("keys") { bytes in
        let map = reading { () throws(ConfigError) in
            let document = try ConfigDocument(json: bytes, source: "keys.json")
            return try KeyMap.standard.changed(by: document, source: "keys.json")
        }
        if let error = map.failure { require(!error.description.isEmpty, "an error without a text") }
        guard let map = map.success else { return }
        for binding in map.bindings {
            require(map.action(for: binding.key) == binding.action, "\(binding.key) does two things")
            require(Key(binding.key.description) == binding.key, "\(binding.key) reads back as another")
        }
    }
}
