// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The answer to `GET /health` and `GET /ready`.
package enum StatusMessage {
    /// The answer as a body.
    ///
    /// - Parameter age: The age of the answer, in milliseconds, where it was found out before the request.
    package static func json(_ status: String, age: Int? = nil) -> [UInt8] {
        JSONWriter.object { object in
            object.member("status") { $0.string(status) }
            if let age { object.member("age_ms") { $0.number(age) } }
        }
    }

    static let schema = WireSchema.object("Status", [.required("status", .text), .optional("age_ms", .count)])
}
