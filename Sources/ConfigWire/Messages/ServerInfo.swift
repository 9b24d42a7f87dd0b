// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// The answer to `GET /v1`: the version of a server and its namespaces.
public struct ServerInfo: Hashable, Sendable {
    /// A namespace of the server.
    package struct Namespace: Hashable, Sendable {
        /// Its name.
        package var name: String
        /// The last revision that changed it.
        package var revision: UInt64
        /// The number of entries.
        package var count: Int

        /// Creates a namespace from its parts.
        package init(name: String, revision: UInt64, count: Int) {
            (self.name, self.revision, self.count) = (name, revision, count)
        }
    }

    /// The server's version.
    public var version: String
    /// The epoch and the highest revision of the store.
    public var head: RevisionCursor
    /// The namespaces that the client may read, by name.
    package var namespaces: [Namespace]

    /// The names of the namespaces that the client may read.
    public var names: [String] { namespaces.map(\.name) }

    /// Creates an answer from its parts.
    package init(version: String, head: RevisionCursor, namespaces: [Namespace]) {
        (self.version, self.head, self.namespaces) = (version, head, namespaces)
    }
}

extension ServerInfo: WireMessage {
    private static let empty = ServerInfo(version: "", head: .zero, namespaces: [])
    static let schema = empty.schema("ServerInfo")

    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.written("version", &version, TextForm())
        try members.cursor(&head)
        try members.written("namespaces", &namespaces, ListForm(start: Namespace(name: "", revision: 0, count: 0)))
    }

    /// Reads an answer. Unknown members are ignored, missing ones are errors.
    package init(json: [UInt8]) throws(ConfigError) {
        self = Self.empty
        try read(json)
    }

    /// The answer as a body.
    package var json: [UInt8] { body() }
}

extension ServerInfo.Namespace: WireMessage {
    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure) {
        try members.written("name", &name, TextForm().described(by: .namespace))
        try members.written("revision", &revision, RevisionForm())
        try members.written("count", &count, CountForm())
    }
}

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
