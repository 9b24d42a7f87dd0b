// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The body of `POST /v1/{namespace}/rollback`.
package struct RollbackRequest: Hashable, Sendable {
    /// The revision to restore.
    package var to: UInt64
    /// The revision that the namespace must be at, if given.
    package var expect: UInt64?
    /// The message for the history.
    package var message: String?

    /// Creates a request.
    package init(to: UInt64, expect: UInt64? = nil, message: String? = nil) {
        (self.to, self.expect, self.message) = (to, expect, message)
    }

}

extension RollbackRequest: WireMessage {
    static let isRequest = true
    static let schema = RollbackRequest(to: 0).schema("RollbackRequest")

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.required("to", &to, RevisionForm())
        try members.optional("expect", &expect, RevisionForm())
        try members.optional("message", &message, TextForm(isReason: true))
    }

    /// Reads a request strictly: members that are unknown here are errors, with their place.
    package init(json: [UInt8]) throws(ConfigError) {
        self.init(to: 0)
        try read(json)
    }

    /// The request as a body.
    package var json: [UInt8] { body() }
}
