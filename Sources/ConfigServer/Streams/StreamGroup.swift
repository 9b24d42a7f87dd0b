internal import ConfigModel
internal import NIOCore

/// The connection of a stream, as its group sees it.
protocol StreamMember: AnyObject {
    /// Its index in the group.
    var streamIndex: Int { get set }
    /// The revision that its events have reached.
    var streamPosition: UInt64 { get }
    /// Whether events can be written now.
    var acceptsEvents: Bool { get }

    /// Writes events, which lead to the position of the batch.
    func write(_ events: StreamEncoder.Batch)
}

/// The streams of one namespace on one event loop.
///
/// A stream has no queue, only a position. The events between that and the present are in the state's ring, encoded once
/// for all streams; a stream whose client is slow stays at its position.
final class StreamGroup<Member: StreamMember> {
    let namespace: String
    private(set) var members: [Member] = []
    private let hub: ConfigHub
    private var epoch: Epoch?

    init(namespace: String, hub: ConfigHub) {
        self.namespace = namespace
        self.hub = hub
    }

    var isEmpty: Bool { members.isEmpty }

    func add(_ member: Member) {
        member.streamIndex = members.count
        members.append(member)
    }

    func remove(_ member: Member) {
        let index = member.streamIndex
        guard index < members.count, members[index] === member else { return }
        members.swapAt(index, members.count - 1)
        members.removeLast()
        if index < members.count { members[index].streamIndex = index }
    }

    /// Writes to each stream the events since its position.
    func flush() {
        guard let state = hub.state(of: namespace) else { return }
        let isOtherHistory = epoch != nil && epoch != state.cursor.epoch
        epoch = state.cursor.epoch
        var encoder = StreamEncoder(state: state)
        for member in members where isOtherHistory || member.streamPosition != state.revision {
            if isOtherHistory { member.write(encoder.reset) } else { advance(member, &encoder) }
        }
    }

    /// Writes to one stream the events since its position.
    func flush(_ member: Member) {
        guard let state = hub.state(of: namespace) else { return }
        var encoder = StreamEncoder(state: state)
        advance(member, &encoder)
    }

    /// Writes events until the stream reaches the present or accepts no more. It continues from its position later.
    private func advance(_ member: Member, _ encoder: inout StreamEncoder) {
        while member.acceptsEvents, member.streamPosition != encoder.state.revision {
            member.write(encoder.batch(after: member.streamPosition))
        }
    }

    /// Writes a heartbeat to each stream.
    func heartbeat() {
        flush()
        guard let state = hub.state(of: namespace) else { return }
        let heartbeat = StreamEncoder(state: state).heartbeat
        for member in members where member.acceptsEvents && member.streamPosition == state.revision {
            member.write(heartbeat)
        }
    }
}
