// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigStore
internal import NIOCore

/// The answers from memory as bytes, for the connections of one event loop. They have the date, and so last a second.
final class EncodedReplies {
    private struct Key: Hashable {
        var namespace: String
        var form: ConfigForm
        var cors: String
    }

    /// The field that every answer has.
    private(set) var dateLine = ""
    private var replies: [Key: (state: NamespaceState, bytes: ByteBuffer)] = [:]

    init() { refresh() }

    /// A second has passed.
    func refresh() {
        dateLine = "date: \(Timestamp.ofClock().httpDate)\r\n"
        replies.removeAll(keepingCapacity: true)
    }

    /// The bytes of an answer, which are made at most once a second while the state is the same.
    func bytes(
        _ form: ConfigForm,
        of state: NamespaceState,
        cors: String,
        make: () -> ByteBuffer?
    ) -> ByteBuffer? {
        let key = Key(namespace: state.namespace, form: form, cors: cors)
        if let reply = replies[key], reply.state === state { return reply.bytes }
        guard let bytes = make() else { return nil }
        // As many as there are namespaces and forms in a second; a limit for clients that make up revisions.
        if replies.count >= 256 { replies.removeAll(keepingCapacity: true) }
        replies[key] = (state, bytes)
        return bytes
    }
}
