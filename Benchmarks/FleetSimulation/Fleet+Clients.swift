// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigServer
internal import ConfigWire
internal import RemoteConfig

// The clients, each for itself.
extension Fleet {
    private static let heartbeatTimeout = ConnectionPolicy().heartbeatTimeout
    /// The time between two signs of life that the schedule of a client with a stream is notified of.
    private static let signInterval = Duration.seconds(20)
    private static let idleTime = Duration.seconds(75)
    private static let answerTime = Duration.seconds(10)

    /// Reports an event to a client's schedule, and performs its actions.
    func handle(_ index: Int, _ input: ConnectionSchedule.Input) {
        catchUp(index)
        feed(index, input, at: now)
        setAlarm(index)
    }

    private func feed(_ index: Int, _ input: ConnectionSchedule.Input, at time: Duration) {
        clients[index].lastTime = time
        for action in clients[index].schedule.handle(input, at: time) {
            switch action {
            case .read: read(index)
            case .openStream(let number): openStream(index, number)
            case .closeStream: closeStream(index)
            }
        }
    }

    /// Reports the signs of life that the client's stream has got in the meantime.
    func catchUp(_ index: Int) {
        guard clients[index].group >= 0 else { return }
        let server = servers[Int(clients[index].group)]
        let number = Int(clients[index].stream)
        let sign = min(server.groups[clients[index].network.rawValue].lastSign, now)
        while clients[index].group >= 0, clients[index].lastSign < sign {
            clients[index].lastSign = min(clients[index].lastSign + Self.signInterval, sign)
            feed(index, .streamAlive(number), at: max(clients[index].lastSign, clients[index].lastTime))
        }
    }

    /// Sets the alarm for the client's deadline. A stream that is open has none: its group sees whether it is silent.
    func setAlarm(_ index: Int, evenIfCalm: Bool = false) {
        guard let deadline = clients[index].schedule.deadline else { return }
        if clients[index].group >= 0, clients[index].isCalm, !evenIfCalm { return }
        if let alarm = clients[index].alarm, alarm <= deadline { return }
        clients[index].alarm = max(deadline, now)
        queue.add(.alarm, at: max(deadline, now), index)
    }

    func ring(_ index: Int, at time: Duration) {
        guard clients[index].alarm == time else { return }
        clients[index].alarm = nil
        catchUp(index)
        if let deadline = clients[index].schedule.deadline, deadline <= now {
            handle(index, .timePassed)
        } else {
            setAlarm(index)
        }
    }
}

// Reads.
extension Fleet {
    private func read(_ index: Int) {
        // The events of its stream wait for the answer from now on.
        (clients[index].revision, clients[index].digest) = known(index)
        let isKept = now - clients[index].lastRead < Self.idleTime
        clients[index].isReading = true
        (clients[index].lastRead, clients[index].readPatience) = (now, nil)
        let latency = clients[index].network.latency(isSlow: isSlow)
        if clients[index].kind == .cachedDocument { return queue.add(.readServed, at: now + latency, index) }
        if isKept, let server = readServer(index) {
            clients[index].isNew = false
            return queue.add(.readServed, at: now + latency, index, number: server.start)
        }
        guard let server = offered, server.isUp else { return failRead(index, .refused, at: now + latency * 2) }
        clients[index].isNew = true
        clients[index].readServer = Int16(server.number)
        clients[index].readStart = Int16(server.start)
        server.connections += 1
        server.load.connections += 1
        queue.add(.idle, at: now + Self.idleTime, index)
        // After the handshakes of TCP and TLS.
        queue.add(.readServed, at: now + latency * 5, index)
    }

    /// The server of the client's connection for reads, unless that has ended.
    private func readServer(_ index: Int) -> SimulatedServer? {
        guard clients[index].readServer >= 0 else { return nil }
        let server = servers[Int(clients[index].readServer)]
        return server.isUp && server.start == Int(clients[index].readStart) ? server : nil
    }

    func serveRead(_ index: Int) throws {
        let (kind, isNew) = (clients[index].kind, clients[index].isNew)
        let latency = clients[index].network.latency(isSlow: isSlow)
        if kind == .cachedDocument { return try serveCached(index) }
        guard let server = readServer(index) else { return failRead(index, .lost, at: now + latency) }
        if isNew, server.connections > scenario.connections {
            closeReads(index)
            return failRead(index, .busy, at: server.work(scenario.costs.connection, from: now) + latency)
        }
        guard let state = server.state else { return failRead(index, .unavailable, at: now + latency) }
        if kind != .document, waits(index, for: server, .readServed, \.readPatience) { return }
        let cost = scenario.costs.request + (isNew ? scenario.costs.connection : .zero)
        let served = server.work(cost, from: now)
        server.load.requests += 1
        if served - clients[index].lastRead > Self.answerTime {
            return failRead(index, .timedOut, at: clients[index].lastRead + Self.answerTime)
        }
        guard let content = try answer(to: index, server, state) else {
            return failRead(index, .unavailable, at: served + latency)
        }
        deliver(content, to: index, at: server.send(content.bytes, at: served))
    }

    /// Whether the request waits until the server has the revision that the client has seen, for a second at most.
    private func waits(
        _ index: Int,
        for server: SimulatedServer,
        _ kind: Event.Kind,
        _ end: WritableKeyPath<SimulatedClient, Duration?>
    ) -> Bool {
        guard let head = server.hub?.head, head.revision < clients[index].revision else { return false }
        let patience = clients[index][keyPath: end] ?? now + .seconds(1)
        clients[index][keyPath: end] = patience
        if now >= patience { return false }
        queue.add(kind, at: min(now + .milliseconds(20), patience), index, number: Int(clients[index].stream))
        return true
    }

    private func answer(
        to index: Int,
        _ server: SimulatedServer,
        _ state: NamespaceState
    ) throws -> ClientLibrary.Content? {
        let revision = clients[index].revision
        if clients[index].kind == .document {
            let document = try library.document(state)
            return revision == document.revision ? document.unchanged : document
        }
        // The second that a client waits is over.
        if revision > state.revision { return nil }
        if revision == 0 || clients[index].needsWhole {
            figures[phase].wholeReads += 1
            return try library.snapshot(state)
        }
        if let known = library.delta(from: revision, to: state.revision) { return known }
        let changes = state.changes(after: revision) ?? olderChanges(server, after: revision)
        return try changes.map { try library.delta($0) }
    }

    private func serveCached(_ index: Int) throws {
        let place = index % cachedDocuments.count
        if cachedDocuments[place].map({ now - $0.time >= .seconds(5) }) ?? true, let server = offered,
            let state = server.state
        {
            let content = try library.document(state)
            server.load.requests += 1
            _ = server.send(content.bytes, at: server.work(scenario.costs.request, from: now))
            cachedDocuments[place] = (now, content)
        }
        guard let content = cachedDocuments[place]?.content else { return failRead(index, .unavailable, at: now) }
        deliver(content, to: index, at: now)
    }

    private func deliver(_ content: ClientLibrary.Content, to index: Int, at time: Duration) {
        clients[index].answer = (content.revision, content.digest)
        let network = clients[index].network
        let way = network.latency(isSlow: isSlow) + network.transfer(content.bytes, isSlow: isSlow)
        queue.add(.readReceived, at: time + way, index)
    }

    func receiveRead(_ index: Int) {
        let answer = clients[index].answer
        clients[index].isReading = false
        clients[index].needsWhole = false
        take(index, answer.revision, answer.digest)
        let isDocument = clients[index].kind.isDocument
        // `Cache-Control: no-cache` or `max-age=5`: the shortest interval that a client accepts.
        handle(index, .readSucceeded(nextReadAfter: isDocument ? .seconds(5) : nil))
        continueOpening(index)
    }

    private func failRead(_ index: Int, _ failure: SimulatedClient.Failure, at time: Duration) {
        clients[index].readFailure = failure
        queue.add(.readFailed, at: max(time, now), index)
    }

    func failRead(_ index: Int) {
        let failure = clients[index].readFailure
        note(failure)
        clients[index].isReading = false
        handle(index, .readFailed(failure.error))
        continueOpening(index)
    }

    private func note(_ failure: SimulatedClient.Failure) {
        switch failure {
        case .unavailable, .busy: figures[phase].refusals += 1
        case .blocked: break
        case .refused, .timedOut, .lost: figures[phase].failures += 1
        }
    }

    func closeIdle(_ index: Int) {
        guard readServer(index) != nil else { return }
        if now - clients[index].lastRead >= Self.idleTime { return closeReads(index) }
        queue.add(.idle, at: clients[index].lastRead + Self.idleTime, index)
    }

    private func closeReads(_ index: Int) {
        readServer(index)?.connections -= 1
        clients[index].readServer = -1
    }

    /// Takes over the values of a revision, and counts how late they are.
    private func take(_ index: Int, _ revision: UInt64, _ digest: ConfigDigest) {
        let (former, start, hasStream) = (clients[index].revision, clients[index].start, clients[index].kind == .stream)
        if revision > former, former > 0 {
            let delays: WritableKeyPath<PhaseFigures, DelayCounts> = hasStream ? \.streams : \.polls
            for missed in former + 1...revision where missed < commitTimes.count {
                let commit = commitTimes[Int(missed)]
                if commit <= start { continue }
                figures[phase][keyPath: delays].add(now - commit)
            }
        }
        (clients[index].revision, clients[index].digest) = (revision, digest)
    }
}

// Streams.
extension Fleet {
    private func openStream(_ index: Int, _ number: Int) {
        clients[index].stream = Int32(number)
        (clients[index].streamStarted, clients[index].streamPatience) = (now, nil)
        let latency = clients[index].network.latency(isSlow: isSlow)
        if clients[index].kind == .polling { return failStream(index, .blocked, at: now + latency * 6) }
        guard let server = offered, server.isUp else { return failStream(index, .refused, at: now + latency * 2) }
        clients[index].streamServer = Int16(server.number)
        clients[index].streamStart = Int16(server.start)
        server.connections += 1
        server.load.connections += 1
        queue.add(.streamServed, at: now + latency * 5, index, number: number)
    }

    /// The server of the client's stream, unless that has ended.
    private func streamServer(_ index: Int) -> SimulatedServer? {
        guard clients[index].streamServer >= 0 else { return nil }
        let server = servers[Int(clients[index].streamServer)]
        return server.isUp && server.start == Int(clients[index].streamStart) ? server : nil
    }

    func serveStream(_ index: Int, _ number: Int32) throws {
        guard clients[index].stream == number else { return }
        let network = clients[index].network
        let latency = network.latency(isSlow: isSlow)
        guard let server = streamServer(index) else { return failStream(index, .lost, at: now + latency) }
        if server.connections > scenario.connections {
            return failStream(index, .busy, at: server.work(scenario.costs.connection, from: now) + latency)
        }
        if waits(index, for: server, .streamServed, \.streamPatience) { return }
        let served = server.work(scenario.costs.connection + scenario.costs.opening, from: now)
        server.load.requests += 1
        if served - clients[index].streamStarted > Self.answerTime {
            return failStream(index, .timedOut, at: clients[index].streamStarted + Self.answerTime)
        }
        let known = known(index)
        guard let state = server.state, known.revision <= state.revision,
            var (bytes, opening) = try server.opening(known.revision)
        else { return failStream(index, .unavailable, at: served + latency) }
        while opening.to != state.revision, let batch = server.batch(after: opening.to) {
            bytes += try library.batch(batch, from: opening.to).bytes
            opening.to = batch.position
        }
        bytes += ClientLibrary.streamHead
        clients[index].opening = opening
        let sent = server.send(bytes, at: served)
        queue.add(
            .streamReceived,
            at: sent + latency + network.transfer(bytes, isSlow: isSlow),
            index,
            number: Int(number)
        )
    }

    func receiveStream(_ index: Int, _ number: Int32) throws {
        guard clients[index].stream == number else { return }
        guard let server = streamServer(index) else { return failStream(index, .lost, at: now) }
        clients[index].lastSign = now
        handle(index, .streamAlive(Int(number)))
        handle(index, .retryGiven(Int(number), .seconds(1)))
        join(index, server)
        continueOpening(index)
    }

    /// Takes the first events of a stream, each after the read before it.
    private func continueOpening(_ index: Int) {
        while let opening = clients[index].opening, clients[index].group >= 0, !clients[index].isReading {
            let step = opening.step
            let event = event(step, of: opening, at: clients[index].revision)
            clients[index].opening?.step += 1
            if step == 0 { handle(index, .streamOpened(Int(clients[index].stream))) }
            if step == 2 {
                clients[index].opening = nil
                clients[index].joined = opening.to
            }
            guard let event else { continue }
            switch StreamStep(after: event, at: (clients[index].cursor, clients[index].digest)) {
            case .nothing: break
            case .apply(let changes, _): take(index, changes.to, changes.digest)
            case .read: handle(index, .readNeeded)
            case .readWhole:
                clients[index].needsWhole = true
                handle(index, .readNeeded)
            }
        }
    }

    private func event(_ step: Int, of opening: SimulatedClient.Opening, at revision: UInt64) -> StreamEvent? {
        let epoch = Epoch(rawValue: 1)
        let cursor = RevisionCursor(epoch: epoch, revision: opening.hello)
        let digest = library.digest(at: opening.hello) ?? ConfigDigest()
        switch step {
        case 0: return .hello(cursor, digest)
        case 1: return opening.isReset ? .reset(cursor, digest) : nil
        default:
            // The changes that a read has returned are skipped one by one.
            let from = min(max(opening.from, revision), opening.to)
            if from == opening.to { return nil }
            return .change(
                Changeset(from: from, to: opening.to, digest: library.digest(at: opening.to) ?? ConfigDigest()),
                epoch: epoch
            )
        }
    }

    private func failStream(_ index: Int, _ failure: SimulatedClient.Failure, at time: Duration) {
        clients[index].streamFailure = failure
        queue.add(.streamFailed, at: max(time, now), index, number: Int(clients[index].stream))
    }

    func failStream(_ index: Int, _ number: Int32) {
        guard clients[index].stream == number else { return }
        note(clients[index].streamFailure)
        end(index, clients[index].streamFailure)
    }

    /// The stream ends with an error.
    private func end(_ index: Int, _ failure: SimulatedClient.Failure) {
        let number = Int(clients[index].stream)
        leave(index)
        disconnect(index)
        handle(index, .streamEnded(number, failure.error))
    }

    func resetStream(_ index: Int, _ number: Int32) {
        if clients[index].stream == number { end(index, .lost) }
    }

    /// The network delivers nothing more in either direction: the server closes the connection after a while, the client when
    /// it has been silent for too long.
    func loseStream(_ index: Int, _ number: Int32) {
        guard clients[index].stream == number, let server = streamServer(index) else { return }
        leave(index)
        clients[index].streamServer = -1
        queue.add(.forget, at: now + .seconds(30), server.number, number: server.start)
        setAlarm(index)
    }

    private func closeStream(_ index: Int) {
        // Its group has it no more, or a change of the group's own has led here.
        if clients[index].group >= 0 { leave(index) }
        disconnect(index)
    }

    private func disconnect(_ index: Int) {
        streamServer(index)?.connections -= 1
        (clients[index].streamServer, clients[index].stream, clients[index].opening) = (-1, 0, nil)
    }
}
