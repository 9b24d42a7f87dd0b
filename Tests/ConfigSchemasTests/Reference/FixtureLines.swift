import ConfigModel
import Foundation
import Testing

/// The lines of a file in `Suite`, each a value of JSON.
struct FixtureLines {
    let values: [EntryValue]

    init(_ name: String) throws {
        try self.init(
            path: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Suite/\(name)").path
        )
    }

    init(path: String) throws {
        let lines = try Data(contentsOf: URL(filePath: path)).split(separator: UInt8(ascii: "\n"))
        values = try lines.map { try EntryValue(json: Array($0)) }
    }
}

extension EntryValue {
    /// The value of a text, or `null`, which is no value of a key, and yet may be checked.
    init(testJSON text: String) throws(ConfigError) {
        self = text == "null" ? .null : try EntryValue(json: Array(text.utf8))
    }

    func member(_ name: String) throws -> EntryValue {
        guard case .object(let members) = self else { throw MissingMember(name: name) }
        guard let member = members[name] else { throw MissingMember(name: name) }
        return member
    }

    func text(_ name: String) throws -> String { try #require(String(configValue: try member(name))) }

    var elements: [EntryValue] { if case .array(let elements) = self { elements } else { [] } }

    private struct MissingMember: Error { let name: String }
}
