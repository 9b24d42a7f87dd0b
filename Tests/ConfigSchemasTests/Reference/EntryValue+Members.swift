// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

extension EntryValue {
    /// The value of a text, or `null`, which is not a value of a key but may be checked.
    init(testJSON text: String) throws(ConfigError) {
        self = text == "null" ? .null : try EntryValue(json: Array(text.utf8))
    }

    func member(_ name: String) throws -> EntryValue {
        guard case .object(let members) = self else { throw MissingMember(name: name) }
        guard let member = members[name] else { throw MissingMember(name: name) }
        return member
    }

    func text(_ name: String) throws -> String { try #require(String(configValue: try member(name))) }

    private struct MissingMember: Error { let name: String }
}
