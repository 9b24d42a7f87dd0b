// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigServer
internal import Foundation

// The events of a server, for all clients in a network at once.
extension Fleet {
    /// Writes what is new to the streams of a server.
    func flush(_ server: SimulatedServer, start: Int) throws {
        guard server.start == start, let state = server.state else { return }
        server.isFlushDue = false
        for network in Network.allCases {
            let count = server.groups[network.rawValue].members.count
            let from = server.groups[network.rawValue].written
            if count == 0, server.groups[network.rawValue].underway.isEmpty {
                server.groups[network.rawValue].written = state.revision
                server.groups[network.rawValue].arrived = state.revision
                continue
            }
            var position = from
            while position != state.revision, let batch = server.batch(after: position) {
                let content = try library.batch(batch, from: position)
                position = batch.position
                send(content, content.bytes, from: server, to: network)
            }
            if library.digest(at: position) != state.digest {
                throw SimulationError("the digest of a client at \(position) is not that of the server")
            }
            server.groups[network.rawValue].written = position
        }
    }

    private func send(
        _ content: ClientLibrary.Content?,
        _ bytes: Int,
        from server: SimulatedServer,
        to network: Network
    ) {
        let count = server.groups[network.rawValue].members.count
        let start = max(now, server.free)
        let written = server.work(scenario.costs.event * count, from: now)
        let sent = server.send(bytes * count, at: start)
        let way = network.latency(isSlow: isSlow) + network.transfer(bytes, isSlow: isSlow)
        let last = server.groups[network.rawValue].underway.last?.arrival.upperBound ?? .zero
        let end = max(written, sent, last - way) + way
        let arrival = min(start + way, end)..<max(end, start + way + .nanoseconds(1))
        server.groups[network.rawValue].underway.append(SimulatedServer.Delivery(content: content, arrival: arrival))
        queue.add(
            .arrival,
            at: arrival.upperBound,
            server.number,
            number: server.start * Network.allCases.count + network.rawValue
        )
    }

    /// The clients of a group have the events.
    func arrive(_ server: SimulatedServer, _ number: Int) {
        let (start, network) = number.quotientAndRemainder(dividingBy: Network.allCases.count)
        guard server.start == start else { return }
        let delivery = server.groups[network].underway.removeFirst()
        let count = server.groups[network].members.count
        server.groups[network].lastSign = now
        guard let content = delivery.content else { return }
        let former = server.groups[network].arrived
        server.groups[network].arrived = content.revision
        guard former < content.revision, count > 0 else { return }
        for revision in former + 1...content.revision where revision < commitTimes.count {
            let commit = commitTimes[Int(revision)]
            let delays = delivery.arrival.lowerBound - commit...delivery.arrival.upperBound - commit
            figures[phase].streams.add(delays, times: count)
        }
    }

    func heartbeat(_ server: SimulatedServer, start: Int) {
        guard server.start == start, server.isUp else { return }
        if server.free > now {
            return queue.add(.heartbeat, at: server.free, server.number, number: start)
        }
        queue.add(.heartbeat, at: now + .seconds(10), server.number, number: start)
        let bytes = server.heartbeatBytes
        for network in Network.allCases {
            if now - server.groups[network.rawValue].lastSign > .seconds(15) {
                // Some may give up before the heartbeat has come.
                for index in server.groups[network.rawValue].members { setAlarm(Int(index), evenIfCalm: true) }
            }
            if !server.groups[network.rawValue].members.isEmpty { send(nil, bytes, from: server, to: network) }
        }
    }

    func forget(_ server: SimulatedServer, start: Int) {
        if server.start == start, server.isUp { server.connections -= 1 }
    }

    /// The state of a client with the events of its stream.
    func known(_ index: Int) -> (revision: UInt64, digest: ConfigDigest) {
        let own = (clients[index].revision, clients[index].digest)
        guard clients[index].receivesEvents, own.0 >= clients[index].joined else { return own }
        let arrived = servers[Int(clients[index].group)].groups[clients[index].network.rawValue].arrived
        guard arrived > own.0, let digest = library.digest(at: arrived) else { return own }
        return (arrived, digest)
    }

    /// A client receives the events of its stream from now on.
    func join(_ index: Int, _ server: SimulatedServer) {
        let network = clients[index].network.rawValue
        clients[index].group = Int16(server.number)
        clients[index].place = Int32(server.groups[network].members.count)
        server.groups[network].members.append(Int32(index))
        if isSlow, clients[index].network == .mobile { loseSooner(index) }
    }

    /// A client receives no more events.
    func leave(_ index: Int) {
        catchUp(index)
        guard clients[index].group >= 0 else { return }
        let (server, network) = (servers[Int(clients[index].group)], clients[index].network.rawValue)
        let place = Int(clients[index].place)
        settle(index)
        let last = server.groups[network].members.removeLast()
        if Int(last) != index {
            server.groups[network].members[place] = last
            clients[Int(last)].place = Int32(place)
        }
    }

    /// Notes what a client has got from its group, which it does not belong to any more.
    func settle(_ index: Int) {
        catchUp(index)
        (clients[index].revision, clients[index].digest) = known(index)
        clients[index].group = -1
    }

    /// Arranges the end of a stream in a slow network: every other one without a sign of it.
    func loseSooner(_ index: Int) {
        let life = -Network.slowLife * log(1 - numbers.fraction())
        let time = now + .seconds(life)
        let kind = numbers.fraction() < 0.5 ? Event.Kind.streamLost : .streamReset
        guard time < scenario.slowNetwork.upperBound else { return }
        queue.add(kind, at: time, index, number: Int(clients[index].stream))
    }
}
