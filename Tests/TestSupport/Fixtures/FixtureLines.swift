// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
internal import Foundation

/// The lines of a file, each a value of JSON.
package struct FixtureLines {
    package let values: [EntryValue]

    /// Reads a file of a folder beside that of a test.
    package init(_ name: String, in folder: String, test: StaticString = #filePath) throws {
        let folder = URL(filePath: "\(test)").deletingLastPathComponent().appending(path: "../\(folder)")
        try self.init(path: folder.appending(path: name).path)
    }

    /// Reads the file that a variable of the environment names, or else one beside that of a test.
    package init(variable: String, or name: String, in folder: String, test: StaticString = #filePath) throws {
        if let path = ProcessInfo.processInfo.environment[variable] {
            try self.init(path: path)
        } else {
            try self.init(name, in: folder, test: test)
        }
    }

    private init(path: String) throws {
        let lines = try Data(contentsOf: URL(filePath: path)).split(separator: UInt8(ascii: "\n"))
        values = try lines.map { try EntryValue(json: Array($0)) }
    }
}

extension EntryValue {
    /// The elements of an array, none of anything else.
    package var elements: [EntryValue] { if case .array(let elements) = self { elements } else { [] } }
}

/// The members of a JSON object.
///
/// - Throws: ``FixtureError`` if the text is another value.
package func jsonMembers(_ text: some StringProtocol) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    guard let members = value as? [String: Any] else { throw FixtureError("this is no object: \(text)") }
    return members
}

extension HistoryRecord {
    /// A record that a test makes up.
    package init(
        _ key: String,
        _ value: EntryValue?,
        at revision: UInt64,
        kind: EntryKind = .value,
        by author: String? = nil,
        saying message: String? = nil,
        on time: Timestamp = Timestamp(milliseconds: 0)
    ) {
        self.init(
            revision: revision,
            key: key,
            kind: kind,
            value: value,
            author: author,
            message: message,
            updatedAt: time
        )
    }
}

/// A fixture that could not be set up, or does not do what the test needs it for.
package struct FixtureError: Error, CustomStringConvertible {
    package let description: String

    /// - Parameter description: what happened, in the words of the program that failed.
    package init(_ description: String) {
        self.description = description
    }
}
