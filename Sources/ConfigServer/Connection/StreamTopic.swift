// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigWire

/// The content of a stream, and its framing.
package struct StreamTopic: Hashable {
    let namespace: String
    let form: StreamForm
    /// The draft whose preview it is; `nil` for the namespace itself.
    let draft: String?
    /// Whether it has the derived states of the drafts of the namespace as well.
    let hasDrafts: Bool
    let framing: StreamFraming

    package init(
        namespace: String,
        form: StreamForm,
        draft: String? = nil,
        hasDrafts: Bool = false,
        framing: StreamFraming = .chunks
    ) {
        (self.namespace, self.form, self.draft) = (namespace, form, draft)
        (self.hasDrafts, self.framing) = (hasDrafts, framing)
    }
}

extension StreamTopic {
    /// The address of a namespace's flags' events, without the origin.
    static func flagsAddress(_ namespace: String, _ ticket: StreamTicket?) -> String {
        let path = WireRoute.flagEvents.path(namespace)
        return ticket.map { "\(path)?\(WireParameter.streamToken.name)=\($0.text)" } ?? path
    }
}

extension StreamTopic {
    private static let previewRoute = WireRoute.draftEvents.name

    /// The name of the route.
    var route: String { draft == nil ? form.route : Self.previewRoute }
}

extension NamespaceHub {
    /// The state that a stream shows; `nil` until the store has been loaded, and once a draft has ended.
    func state(of topic: StreamTopic) -> NamespaceState? {
        guard let draft = topic.draft else { return state(of: topic.namespace) }
        return try? drafts(of: topic.namespace).preview(draft)
    }
}

extension ServerServices {
    /// The state that a stream shows.
    ///
    /// - Throws: ``Problem`` until the store has been loaded, and if it is the preview of a draft that does not exist or has
    ///   ended.
    func state(of topic: StreamTopic) throws(Problem) -> NamespaceState {
        guard let draft = topic.draft else { return try state(of: topic.namespace) }
        return try preview(draft, of: topic.namespace)
    }
}

/// The framing of a stream's bytes.
package enum StreamFraming: Hashable {
    case chunks
    /// They end with the connection, for HTTP/1.0, which proxies such as nginx use by default.
    case connection
}

/// The content of a stream's events.
package enum StreamForm: Hashable {
    /// The changes, for Livery's clients, which evaluate rules themselves.
    case changes
    /// The same with the changes of schemas, for programs that check values.
    case changesWithSchemas
    /// A request to fetch the flags again: OFREP's `refetchEvaluation`.
    case flags

    // Made once: they are needed for each request.
    private static let changesRoute = WireRoute.events.name
    private static let flagsRoute = WireRoute.flagEvents.name

    /// The name of the route.
    var route: String { self == .flags ? Self.flagsRoute : Self.changesRoute }
}

extension StreamForm {
    /// The event that makes a client fetch everything.
    func reset(_ state: NamespaceState) -> [UInt8] {
        switch self {
        case .changes, .changesWithSchemas:
            StreamEvent.reset(state.cursor, state.digest, schemas: schemaDigest(state.digests)).encoded
        case .flags: OFREPEvent(state.cursor, tag: state.tag, time: state.updatedAt).encoded
        }
    }

    /// A sign that the connection is alive: an event without news, or a comment.
    func heartbeat(_ state: NamespaceState) -> [UInt8] {
        switch self {
        case .changes, .changesWithSchemas:
            StreamEvent.head(state.cursor, state.digest, schemas: schemaDigest(state.digests)).encoded
        case .flags: Array(":\n\n".utf8)
        }
    }

    /// The digest of the schemas, for clients that have them.
    func schemaDigest(_ digests: NamespaceState.Digests) -> ConfigDigest? {
        self == .changesWithSchemas ? digests.schemas : nil
    }
}
