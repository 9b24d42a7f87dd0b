// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel

/// The content of a stream, and its framing.
struct StreamTopic: Hashable {
    let namespace: String
    let form: StreamForm
    var framing = StreamFraming.chunks

    /// The parameter of an address that has a ``StreamTicket``.
    static let ticketName = "token"
}

extension StreamTopic {
    /// The address of a namespace's flags' events, without the origin.
    static func flagsAddress(_ namespace: String, _ ticket: StreamTicket?) -> String {
        let path = Route.flagEvents.path.replacing("{ns}", with: namespace)
        return ticket.map { "\(path)?\(ticketName)=\($0.text)" } ?? path
    }
}

/// How a stream's bytes are framed.
enum StreamFraming: Hashable {
    case chunks
    /// They end with the connection, for HTTP/1.0, which proxies such as nginx use by default.
    case connection
}

/// What the events of a stream say.
enum StreamForm: Hashable {
    /// What has changed: for Livery's clients, which evaluate by themselves.
    case changes
    /// That the flags are to be asked for again: OFREP's `refetchEvaluation`.
    case flags

    // Made once: they are needed for each request.
    private static let changesRoute = Route.events.name
    private static let flagsRoute = Route.flagEvents.name

    /// The name of the route.
    var route: String { self == .changes ? Self.changesRoute : Self.flagsRoute }
}

extension StreamForm {
    /// The event that makes a client fetch everything.
    func reset(_ state: NamespaceState) -> [UInt8] {
        switch self {
        case .changes: StreamEvent.reset(state.cursor, state.digest).encoded
        case .flags: Self.refetch(state)
        }
    }

    /// What shows that the connection lives: an event that tells nothing new, or a comment.
    func heartbeat(_ state: NamespaceState) -> [UInt8] {
        switch self {
        case .changes: StreamEvent.head(state.cursor, state.digest).encoded
        case .flags: Array(":\n\n".utf8)
        }
    }

    /// The tag is that of the rules alone: which context the client asks for, its stream does not know.
    private static func refetch(_ state: NamespaceState) -> [UInt8] {
        let data = JSONWriter.object { object in
            object.member("type") { $0.string("refetchEvaluation") }
            object.member("etag") { $0.string(state.tag) }
            object.member("lastModified") { $0.number(state.updatedAt.milliseconds / 1000) }
        }
        return Array("event: message\nid: \(state.cursor)\ndata: ".utf8) + data + Array("\n\n".utf8)
    }
}
