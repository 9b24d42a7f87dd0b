// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The answer to `GET /health` and `GET /ready`.
package enum StatusMessage {
    /// The answer as a body.
    package static func json(_ status: String) -> [UInt8] {
        JSONWriter.object { $0.member("status") { $0.string(status) } }
    }

    static let schema = WireSchema.object("Status", [.required("status", .text)])
}
