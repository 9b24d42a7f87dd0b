internal import ConfigModel
internal import NIOCore

/// The streams of one namespace on one event loop.
///
/// A stream has nothing of its own but its position. What is between that and the present stands in the state's ring,
/// encoded once for everyone; a stream whose client is slow just stays where it is.
final class StreamGroup {
    let namespace: String
    private(set) var members: [ConnectionHandler] = []
    private var epoch: Epoch?

    init(namespace: String) {
        self.namespace = namespace
    }

    var isEmpty: Bool { members.isEmpty }

    func add(_ member: ConnectionHandler) {
        member.streamIndex = members.count
        members.append(member)
    }

    func remove(_ member: ConnectionHandler) {
        let index = member.streamIndex
        guard index < members.count, members[index] === member else { return }
        members.swapAt(index, members.count - 1)
        members.removeLast()
        if index < members.count { members[index].streamIndex = index }
    }

    /// Writes to each stream that takes bytes what has happened since its position.
    func flush(_ services: ServerServices) {
        guard let state = services.hub.state(of: namespace) else { return }
        let isOtherHistory = epoch != nil && epoch != state.cursor.epoch
        epoch = state.cursor.epoch
        var encoder = StreamEncoder(state: state)
        for member in members where isOtherHistory || member.streamPosition != state.revision {
            if isOtherHistory { member.sendEvents(encoder.reset) } else { bring(member, forward: &encoder) }
        }
    }

    /// Brings one stream forward, which takes bytes again.
    func flush(_ member: ConnectionHandler, _ services: ServerServices) {
        guard let state = services.hub.state(of: namespace) else { return }
        var encoder = StreamEncoder(state: state)
        bring(member, forward: &encoder)
    }

    /// Writes events until the stream is at the present or takes no more. It goes on from where it is then.
    private func bring(_ member: ConnectionHandler, forward encoder: inout StreamEncoder) {
        while member.takesEvents, member.streamPosition != encoder.state.revision {
            member.sendEvents(encoder.batch(after: member.streamPosition))
        }
    }

    /// Tells each stream where the server is.
    func heartbeat(_ services: ServerServices) {
        flush(services)
        guard let state = services.hub.state(of: namespace) else { return }
        let heartbeat = StreamEncoder(state: state).heartbeat
        for member in members where member.takesEvents && member.streamPosition == state.revision {
            member.sendEvents(heartbeat)
        }
    }
}
