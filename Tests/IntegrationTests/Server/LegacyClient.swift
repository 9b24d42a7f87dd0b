// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A client of the legacy protocol, as strict as its original and as forgetful: it reads everything once, then only rows newer
/// than the newest `updated_at` that it has seen, and remembers nothing else.
struct LegacyClient {
    private struct Row {
        let id: Int
        let key: String
        let value: String
        let updatedAt: String
    }

    private let port: Int
    /// The newest `updated_at`, as the server wrote it.
    private var cursor: String?
    private var identifiers: [String: Int] = [:]
    /// The local copy.
    private(set) var values: [String: String] = [:]
    /// The values in the order in which they came.
    private(set) var seen: [String] = []

    init(port: Int) {
        self.port = port
    }

    /// Fetches what is new.
    mutating func fetch() throws {
        let path = cursor.map { "/config/\($0)" } ?? "/config"
        let connection = try WireConnection(port: port)
        connection.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let response = try connection.response()
        guard response.status == 200, response["content-type"]?.hasPrefix("application/json") == true else {
            throw FixtureError("\(path): \(response.status) \(response.text)")
        }
        for row in try Self.rows(Data(response.body)) { try take(row) }
    }

    private mutating func take(_ row: Row) throws {
        guard identifiers[row.key] ?? row.id == row.id else {
            throw FixtureError("the id of \(row.key) has changed")
        }
        identifiers[row.key] = row.id
        values[row.key] = row.value
        seen.append(row.value)
        // In this format the later moment is the greater text.
        if row.updatedAt > cursor ?? "" { cursor = row.updatedAt }
    }

    private static func rows(_ json: Data) throws -> [Row] {
        guard let list = try JSONSerialization.jsonObject(with: json) as? [[String: Any]] else {
            throw FixtureError("no array of objects: \(String(decoding: json, as: UTF8.self))")
        }
        return try list.map { members in
            guard Set(members.keys) == ["id", "key", "value", "created_at", "updated_at"],
                let id = members["id"] as? Int, let key = members["key"] as? String,
                let value = members["value"] as? String, let createdAt = members["created_at"] as? String,
                let updatedAt = members["updated_at"] as? String,
                [createdAt, updatedAt].allSatisfy({ $0.wholeMatch(of: moment) != nil })
            else { throw FixtureError("no row: \(members)") }
            return Row(id: id, key: key, value: value, updatedAt: updatedAt)
        }
    }

    private static var moment: Regex<Substring> { /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/ }
}
