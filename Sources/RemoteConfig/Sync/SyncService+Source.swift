// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Files
internal import HTTPTransport
internal import Observing
internal import Synchronization

// Reading the source.
extension SyncService {
    /// What is known, for the source to add to.
    var position: SourcePosition {
        var position =
            needsWhole
            ? SourcePosition(seen: mark.cursor) : SourcePosition(cursor: mark.cursor, validators: mark.validators)
        if source.dependsOnContext { position.context = context }
        position.queue = executor.queue
        return position
    }

    func startRead(showingFailure: Bool) -> Task<RefreshOutcome, Never> {
        showsFailure = showingFailure
        lastRead += 1
        let (number, presence) = (lastRead, offlineCount)
        let read = Task(executorPreference: executor) { await self.readOnce(number, while: presence) }
        readInFlight = read
        return read
    }

    /// Begins a read, unless one has begun.
    func joinRead(showingFailure: Bool) -> Task<RefreshOutcome, Never> {
        guard let readInFlight else { return startRead(showingFailure: showingFailure) }
        showsFailure = showsFailure || showingFailure
        return readInFlight
    }

    /// Replaces the read in flight, which is of a former context, by one in the current context. The result of the former
    /// is dropped, and it is not waited for: its callers get the result of the new one.
    func restartRead() {
        guard !isOffline, let readInFlight, !readInFlight.isCancelled else { return }
        readInFlight.cancel()
        _ = startRead(showingFailure: showsFailure)
    }

    /// What a read has led to, and when to read again if the source says.
    typealias Answer = (outcome: RefreshOutcome, nextReadAfter: Duration?)

    /// Reads, and reports to the connection and to those who asked how that ended, whatever the end is.
    ///
    /// - Parameters:
    ///   - number: the read's number.
    ///   - presence: the value of ``offlineCount`` for which the read counts.
    private func readOnce(_ number: Int, while presence: Int) async -> RefreshOutcome {
        let start = clock.elapsed
        let result = await traced { await self.readResult(while: presence) }
        if number != lastRead { return await readInFlight?.value ?? .failed(.cancelled) }
        let outcome: RefreshOutcome
        let input: ConnectionSchedule.Input
        switch result {
        case .success(let answer):
            outcome = answer.outcome
            input = .readSucceeded(nextReadAfter: answer.nextReadAfter)
        case .failure(let error):
            outcome = .failed(error)
            input = Task.isCancelled ? .readCancelled : .readFailed(error)
        }
        (readInFlight, lastReadAt, readingSince) = (nil, clock.elapsed, nil)
        countRead(result, since: start)
        // They continue on this actor, after the state shows the outcome.
        answerAskers(outcome)
        if !isWatched {
            handle(input)
        } else if case .readFailed(let error) = input, showsFailure, source.isAtRest() {
            show(problem: error)
        }
        showConnection()
        // One that was cancelled has not met the source: the next one ends the waits.
        if !isWatched, input != .readCancelled { endRunWaits() }
        if answered.load(ordering: .acquiring) { endFirstWaits(.answered) }
        return outcome
    }

    private func readResult(while presence: Int) async -> Result<Answer, ConfigError> {
        do throws(ConfigError) {
            return .success(try await readAndApply(while: presence))
        } catch {
            return .failure(presence == offlineCount ? error : .setOffline)
        }
    }

    private func readAndApply(while presence: Int) async throws(ConfigError) -> Answer {
        let (isWhole, begun) = (needsWhole, contextCount)
        // What was begun before the program was set offline may come to its turn after it.
        if presence != offlineCount { throw .setOffline }
        let reading = try await countedReading()
        if presence != offlineCount { throw .setOffline }
        // What was read for one user is not shown to another.
        if begun != contextCount { throw .cancelled }
        if let fetched = try fetched(reading, after: fetched) {
            let shown = commit(fetched)
            if reading.preliminaryOrigin == nil { answered.store(true, ordering: .releasing) }
            if isWhole { needsWhole = false }
            return (RefreshOutcome(shown: shown, staged: staged?.keys), reading.nextReadAfter)
        }
        guard !isWhole else {
            throw ConfigError(.damaged, "the server answers with changes to one who knows nothing", source: source.name)
        }
        // Changes that do not fit, or lead to something else than the server has: only the whole state will do.
        needsWhole = true
        return try await readAndApply(while: presence)
    }

    private func countedReading() async throws(ConfigError) -> SourceReading {
        // A file is there at once, or not at all.
        let notice = isWatched ? nil : noticeSlowness()
        defer {
            notice?.end()
            readingSince = nil
        }
        do throws(ConfigError) {
            let reading = try await source.read(after: position)
            count { $0.bytesReceived += max(reading.bytesReceived, 0) }
            return reading
        } catch {
            count { $0.bytesReceived += max(error.bytesReceived, 0) }
            // They are counted once, whoever else the error is passed on to.
            var error = error
            error.bytesReceived = 0
            throw error
        }
    }

    /// Shows that the read in progress is slow, once it has taken half a second.
    private func noticeSlowness() -> Subscription {
        let (start, count) = (now(), statistics.fetches)
        return clock.call(at: clock.elapsed + .milliseconds(500), on: executor.queue) { [weak self] in
            self?.assumeIsolated { service in
                // It may come when the read has just ended, and another has begun.
                guard service.readInFlight != nil, service.statistics.fetches == count else { return }
                service.readingSince = start
                service.showConnection()
            }
        }
    }

    /// The effect of a read.
    ///
    /// - Parameter snapshot: what the source had before, as far as it is known.
    /// - Returns: `nil` if the reading does not fit to that.
    func fetched(
        _ reading: SourceReading,
        after snapshot: EntrySnapshot
    ) throws(ConfigError) -> FetchedState? {
        let (name, now) = (source.name, now())
        let time = wasThereBefore ? min(reading.modifiedAt ?? now, now) : now
        let validators = reading.problem == nil ? reading.validators : nil
        var next = CacheMark(validators: validators, modifiedAt: reading.modifiedAt)
        let update: EntrySnapshot.Update
        var isReset = false
        switch reading.content {
        case .unchanged:
            next.validators = reading.validators ?? mark.validators
            next.modifiedAt = reading.modifiedAt ?? mark.modifiedAt
            update = (snapshot, [])
        case .document(let document):
            update = snapshot.updated(with: document, from: name, at: time)
        case .entries(let entries):
            update = snapshot.updated(with: entries, at: time)
        case .snapshot(let whole, let isToldAsReset):
            isReset = isToldAsReset
            if !isReset { try refuseOlder(whole.cursor) }
            update = try snapshot.updated(with: whole, from: name, at: time)
        case .changes(let changes, let epoch):
            guard let changed = snapshot.updated(with: changes, epoch: epoch, from: name, at: time) else { return nil }
            update = changed
        }
        if reading.content != .unchanged || reading.problem != nil { partProblem = reading.problem }
        var fetched = FetchedState(update, next, at: time)
        (fetched.isReset, fetched.preliminaryOrigin) = (isReset, reading.preliminaryOrigin)
        fetched.layers = reading.layers
        return fetched
    }

    /// Whether what is read now was there before, and so is as old as its document: it is what is read first, and
    /// nobody has seen its place empty, or with something else that was of no use.
    private var wasThereBefore: Bool {
        let status = state.current.status
        if staged != nil { return false }
        guard let problem = status.problem else { return status.origin == .nothing }
        return status.origin == .nothing && problem.meansOffline && problem.code != .notFound
    }

    /// Refuses a snapshot that may be older than the current state: a lower revision, or another epoch.
    ///
    /// A cache between the program and the server may return a snapshot of any age. Only a reset replaces the state by
    /// one of a lower revision or of another epoch: it is the answer to a request that names the current epoch and
    /// revision, and states that they are no longer part of the server's history, as after a restore. This protects from
    /// outdated answers, not from an attacker who can answer in place of the server and claim a reset.
    ///
    /// - Throws: `damaged`.
    private func refuseOlder(_ cursor: Cursor) throws(ConfigError) {
        guard let own = mark.cursor, own.epoch != cursor.epoch || cursor.revision < own.revision else { return }
        // If the epoch is new indeed, the server confirms it with a reset: the next request names the cursor.
        if own.epoch != cursor.epoch { needsWhole = false }
        let reason =
            own.epoch == cursor.epoch
            ? "revision \(cursor.revision) is older than the current one, \(own.revision)"
            : "epoch \(cursor.epoch) is not the current one, \(own.epoch), and the answer is no reset"
        throw ConfigError(
            .damaged,
            "outdated answer: \(reason); check for a proxy that caches answers for too long",
            source: source.name
        )
    }
}

// Listening to what the source reports.
extension SyncService {
    /// Listens from now on, under this number.
    func listen(_ number: Int) {
        let known = position
        listeners[number] = Task(executorPreference: executor) { await self.listen(number, after: known) }
    }

    private func listen(_ number: Int, after known: SourcePosition) async {
        let start = clock.elapsed
        var end = ListenerEnd()
        do throws(ConfigError) {
            if Task.isCancelled { throw .cancelled }
            try await source.follow(after: known) { event in await self.receive(event, from: number) }
        } catch {
            end.followError = error
        }
        end.hasLasted = clock.elapsed - start >= ConnectionSchedule.Timing.stableAfter
        // A source that is watched and reports nothing is read once, and again after it could not be followed.
        let isUnread = followError != nil || !answered.load(ordering: .acquiring)
        if isWatched, end.followError == nil, isUnread, !Task.isCancelled {
            if case .failed(let error) = await read(after: .settled) { end.readError = error }
        }
        listenerEnded(number, end)
    }

    /// How following the source has ended; without an error if it has nothing more to report.
    private struct ListenerEnd {
        var followError: ConfigError?
        /// Why a source that reports nothing could not be read.
        var readError: ConfigError?
        /// Whether it was followed for long enough that the next failure is the first again.
        var hasLasted = false
    }

    private func listenerEnded(_ number: Int, _ end: ListenerEnd) {
        let wasCancelled = listeners.removeValue(forKey: number)?.isCancelled ?? false
        if isWatched { return wasCancelled ? listenAgain() : watchEnded(end) }
        // Those of an earlier run may end during this one.
        let isCurrent = connection.streamNumber == number
        handle(.streamEnded(number, end.followError))
        showConnection()
        if isCurrent, readInFlight == nil { endRunWaits() }
    }

    /// A source that is watched has nothing more to report, or could not be followed and is tried again.
    private func watchEnded(_ end: ListenerEnd) {
        let error = end.followError ?? end.readError
        if error == nil || end.hasLasted { watch.succeeded() }
        followError = nil
        if let error {
            let problem = error.source == nil ? error.naming(source: source.name) : error
            if end.followError != nil { followError = problem }
            watch.failed(at: clock.elapsed, pause: connection.backoff(watch.failures, after: error))
            show(problem: problem)
            setAlarm()
        }
        endRunWaits()
    }

    private func receive(_ event: SourceEvent, from number: Int) async {
        // What a source reports after its end may be of another context.
        guard listeners[number]?.isCancelled == false else { return }
        switch event {
        case .hint(let hint): _ = await read(after: hint)
        case .alive: showedLife(number)
        case .received(let bytes):
            count { $0.bytesReceived += max(bytes, 0) }
            showedLife(number)
        case .retry(let pause): handle(.retryGiven(number, pause))
        case .server(let event):
            showedLife(number)
            // A read under way may bring what the event speaks of, and only one of the two may apply it.
            // It is everybody's read, and goes on when this listener is not needed any more.
            while let readInFlight, !Task.isCancelled { await wait(for: readInFlight) }
            guard !Task.isCancelled, listeners[number]?.isCancelled == false else { return }
            apply(event, from: number)
            if connection.phase == .live { count { $0.lastSuccessAt = now() } }
            showConnection()
            if readInFlight == nil { endRunWaits() }
        }
    }

    /// The first sign after a sleep of the machine ends a stream and begins a read, which is not to show its state as
    /// if the stream still were live.
    private func showedLife(_ number: Int) {
        handle(.streamAlive(number))
        showConnection()
    }

    private func read(after hint: SourceHint) async -> RefreshOutcome {
        // Waiting for a read in a cancelled task would cancel the read.
        if Task.isCancelled { return .failed(.cancelled) }
        // A read that began before the hint may have missed what the hint is about.
        if let readInFlight { _ = await Self.end(of: readInFlight) }
        if Task.isCancelled { return .failed(.cancelled) }
        let read = joinRead(showingFailure: hint == .settled)
        let outcome = await Self.end(of: read)
        // What was bad and may be half-way is read again. A listener of an earlier run may end during this one.
        if !Task.isCancelled { endRunWaits() }
        return outcome
    }

    /// Waits for a read that goes on when the caller is cancelled.
    private func wait(for read: Task<RefreshOutcome, Never>) async {
        let promise = Promise<Void>()
        Task(executorPreference: executor) {
            _ = await read.value
            promise.settle(())
        }
        await promise.value(ifCancelled: ())
    }

    /// Waits for a read, which is cancelled together with the caller.
    private static func end(of read: Task<RefreshOutcome, Never>) async -> RefreshOutcome {
        await withTaskCancellationHandler {
            await read.value
        } onCancel: {
            read.cancel()
        }
    }

    private func apply(_ event: StreamEvent, from number: Int) {
        switch event {
        case .hello(let cursor, let digest):
            handle(.streamOpened(number))
            compare(cursor, digest)
        case .head(let cursor, let digest):
            compare(cursor, digest)
        case .change(let changes, let epoch):
            apply(changes, epoch)
        case .reset(let cursor, let digest):
            // The hello before it may have led to the read that a reset asks for.
            if cursor != mark.cursor || digest != mark.digest { readWhole(of: cursor.epoch) }
        }
    }

    /// Reads if the server is elsewhere than the state, or says that the same revision is something else.
    private func compare(_ cursor: Cursor, _ digest: ConfigDigest) {
        guard let own = mark.cursor, own == cursor else { return handle(.readNeeded) }
        if mark.digest != digest { readWhole(of: cursor.epoch) }
    }

    private func apply(_ changes: Changeset, _ epoch: Epoch) {
        guard let own = mark.cursor, own.epoch == epoch else { return handle(.readNeeded) }
        // A stream may begin before what a read has brought in the meantime.
        if changes.to < own.revision || (changes.to == own.revision && changes.digest == mark.digest) { return }
        guard changes.from == own.revision else { return handle(.readNeeded) }
        let time = now()
        guard let update = fetched.updated(with: changes, epoch: epoch, from: source.name, at: time) else {
            return readWhole(of: epoch)
        }
        let marks = CacheMark(validators: mark.validators, modifiedAt: mark.modifiedAt)
        commit(FetchedState(update, marks, at: time))
    }

    /// Reads the whole state. Another epoch is read by the cursor, so that the answer is a reset.
    private func readWhole(of epoch: Epoch) {
        needsWhole = epoch == mark.cursor?.epoch
        handle(.readNeeded)
    }
}
