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

extension ServerInfo {
    /// Reads an answer. Unknown members are ignored, missing ones are errors.
    package init(json: [UInt8]) throws(ConfigError) {
        var position = CursorMembers()
        var version: String?
        var namespaces: [Namespace] = []
        try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
            switch name {
            case "version": version = try scanner.text()
            case "namespaces":
                try scanner.array { (scanner) throws(ConfigError) in
                    namespaces.append(try Namespace(from: &scanner))
                }
            default: try position.read(name, from: &scanner)
            }
        }
        self.init(version: version ?? "", head: try position.cursor, namespaces: namespaces)
    }

    /// The answer as a body.
    package var json: [UInt8] {
        JSONWriter.object { object in
            object.member("version") { $0.string(version) }
            object.members(of: head)
            object.member("namespaces", each: namespaces) { namespace, json in json.object(namespace.writeMembers) }
        }
    }
}

extension ServerInfo.Namespace {
    fileprivate init(from scanner: inout JSONScanner) throws(ConfigError) {
        self.init(name: "", revision: 0, count: 0)
        try scanner.object { (name, scanner) throws(ConfigError) in
            switch name {
            case "name": self.name = try scanner.text()
            case "revision": revision = try scanner.revision()
            case "count": count = Int(clamping: try scanner.revision())
            default: try scanner.skipValue()
            }
        }
    }

    fileprivate func writeMembers(to object: inout JSONWriter) {
        object.member("name") { $0.string(name) }
        object.member("revision") { $0.number(revision) }
        object.member("count") { $0.number(count) }
    }
}

extension ServerInfo {
    static let schema = WireSchema.object(
        "ServerInfo",
        [.required("version", .text)] + CursorMembers.schemas + [.required("namespaces", Namespace.schema.list())]
    )
}

extension ServerInfo.Namespace {
    fileprivate static let schema = WireSchema.object([
        .required("name", .namespace), .required("revision", .revision), .required("count", .count),
    ])
}
