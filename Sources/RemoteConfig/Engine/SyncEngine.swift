// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import ConfigWire
internal import Observing
internal import ServiceLifecycle

/// Keeps a state equal to its source, for a ``SyncService``: reads and follows the source, one step after another on one queue,
/// and applies the results. A change is cached, then shown, then announced.
///
/// The parts decide: ``Connection`` when to read and what to say of the source, ``Reads`` what a reading means,
/// ``Staging`` what is shown, `RuleEvaluator` what rules give, ``SourceCache`` what is written. ``Publisher`` shows and announces.
actor SyncEngine {
    let settings: SyncSettings
    /// The source that is read, or its layers if it has any.
    let source: any ConfigSource
    let layers: Layers?
    let publisher: Publisher
    private(set) var connection: Connection
    private(set) var cache: SourceCache
    private var staging: Staging
    private var rules: RuleEvaluator
    private var reads = Reads()
    private(set) var runs = Runs()
    private var telemetry: Telemetry
    private var alarm = Alarm()

    /// Where this actor runs: on a private queue, not on the shared thread pool.
    nonisolated var unownedExecutor: UnownedSerialExecutor { settings.executor.asUnownedSerialExecutor() }

    init(source: any ConfigSource, _ settings: SyncSettings) {
        layers =
            source.layers.isEmpty
            ? nil
            : Layers(of: source) { SyncEngine(source: $0, settings.ofLayer($0, named: $1)) }
        self.settings = settings
        self.source = layers ?? source
        let log = SyncLog(source: source.name, logger: settings.logger)
        let context = settings.context?.withStandardAttributes(programVersion: settings.programVersion)
        // Layers are cached one by one, and what the program carries is not.
        let isCached = layers == nil && source.bundled == nil
        cache = SourceCache(isCached ? settings.cache : nil, of: source, in: context, log)
        rules = RuleEvaluator(in: context)
        connection = Connection(to: self.source.delivery, settings)
        telemetry = Telemetry(of: self.source, settings)
        staging = Staging(settings.activation, bundledDefault: settings.bundledDefault ?? source.bundled)
        let launch = staging.launch(cache.load(), layers?.values ?? [], at: settings.now())
        cache.begin(with: launch.mark)
        let evaluated = rules.evaluated(again: launch.snapshot, at: settings.now()).snapshot
        var status = SyncStatus(source: source.name)
        status.cacheProblem = cache.problem
        status.origin = launch.origin
        status.modifiedAt = launch.mark.modifiedAt
        status.isSetOffline = settings.isOffline
        if settings.isOffline { status.phase = .offline }
        var current = ConfigState.Current(snapshot: evaluated.numbered(launch.snapshot.revision), status: status)
        current.context = context
        publisher = Publisher(current, on: settings.notificationCenter, log)
    }

    /// The state that the engine keeps.
    nonisolated var state: ConfigState { publisher.state }

    /// The position of the fetched state in a server's history.
    var cursor: Cursor? { cache.mark.cursor }

    /// The last known state of the source.
    var fetched: EntrySnapshot { staging.fetched(besides: state.current.snapshot) }

    /// Whether a run goes on.
    var isFollowing: Bool { runs.isFollowing }

    private var elapsed: Duration { settings.clock.elapsed }
}

// The life cycle.
extension SyncEngine {
    /// Follows the source until the task is cancelled or a graceful shutdown begins.
    ///
    /// - Parameter didBegin: called once the source was read in this run, or could not be, or nothing is to be read: the
    ///   program is offline, or what was read before is new enough and changes of it are listened to.
    func run(_ didBegin: @escaping @Sendable () -> Void) async {
        let following = Task(executorPreference: settings.executor) { await self.follow(didBegin) }
        await withTaskCancellationOrGracefulShutdownHandler {
            await following.value
        } onCancelOrGracefulShutdown: {
            following.cancel()
        }
    }

    private func follow(_ didBegin: @escaping @Sendable () -> Void) async {
        begin(didBegin)
        let (untilCancelled, _) = AsyncStream<Never>.makeStream()
        for await _ in untilCancelled {}
        runs.end()
        if !runs.isFollowing { await stop() }
    }

    private func begin(_ didBegin: @escaping @Sendable () -> Void) {
        // A later run waits with those before it.
        var awaitsSource = runs.haveWaiters
        if runs.begin(didBegin) {
            if connection.isWatched { listenAgain() } else { handle(.started) }
            showBeginning()
            awaitsSource = connection.isWatched || reads.inFlight != nil || connection.schedule.streamNumber != nil
        }
        if connection.isOffline || !awaitsSource { endRunWaits() }
    }

    private func stop() async {
        if !connection.isWatched { handle(.stopped) }
        connection.rest()
        showConnection()
        endRunWaits()
        runs.endFirstWaits(.ended)
        // The next run may begin during the waits below, with its own listeners and reads.
        let (ending, read) = (Array(runs.listeners.values), reads.inFlight)
        for listener in ending { listener.cancel() }
        read?.cancel()
        for listener in ending { await listener.value }
        _ = await read?.value
        if runs.isFollowing { return }
        if cache.deadline != nil { catchUpCache(isLast: true) }
        setAlarm()
    }

    /// Lets the bodies of the runs begin, once the state shows the outcome of a read, of a stream, or of going offline. In a
    /// new context there is none yet.
    private func endRunWaits() {
        if state.current.status.phase != .starting { runs.endWaits() }
    }

    /// Sets the program offline or online.
    func setOffline(_ isOffline: Bool) {
        guard connection.setOffline(isOffline) else { return }
        if isOffline { goOffline() } else { comeOnline() }
        passOnOffline()
    }

    private func goOffline() {
        reads.answer(.failed(.setOffline))
        reads.inFlight?.cancel()
        if connection.isWatched { runs.listeners[0]?.cancel() } else { handle(.wentOffline) }
        showConnection()
        endRunWaits()
        runs.endFirstWaits(.offline)
    }

    private func comeOnline() {
        if !connection.isWatched { handle(.cameOnline) }
        showConnection()
        listenAgain()
    }

    /// Passes the current setting to the source, one call at a time, until the source has the latest.
    private func passOnOffline() {
        if runs.offlinePassing != nil { return }
        runs.offlinePassing = Task(executorPreference: settings.executor) { await self.passOnLatestOffline() }
    }

    private func passOnLatestOffline() async {
        var passed: Bool?
        while passed != connection.isOffline {
            passed = connection.isOffline
            await source.setOffline(connection.isOffline)
        }
        runs.offlinePassing = nil
    }

    /// Reports to the connection what has happened, and does what that leads to.
    private func handle(_ input: ConnectionSchedule.Input) {
        for action in connection.schedule.handle(input, at: elapsed) {
            switch action {
            case .read: _ = startRead(showingFailure: true)
            case .openStream(let number): listen(number)
            case .closeStream(let number): runs.listeners[number]?.cancel()
            }
        }
        let totals = connection.schedule.totals
        telemetry.count { ($0.reconnects, $0.resyncs) = (max(totals.opened - 1, 0), totals.resyncs) }
        if reads.inFlight == nil, !connection.schedule.isAsked {
            reads.answer(.failed(connection.schedule.wishToBeLeftAlone(at: elapsed) ?? .cancelled))
        }
        setAlarm()
    }

    private func setAlarm() {
        let due = [connection.deadline, cache.deadline].compactMap(\.self).min()
        alarm.set(at: due, by: settings.clock, on: settings.executor.queue) { [weak self] in
            self?.assumeIsolated { $0.ring() }
        }
    }

    private func ring() {
        alarm.rang()
        let now = elapsed
        if let due = cache.deadline, due <= now { catchUpCache() }
        if connection.followsAgain(at: now) {
            connection.followed()
            listenAgain()
        }
        if let due = connection.schedule.deadline, due <= now {
            handle(.timePassed)
            showConnection()
        } else {
            setAlarm()
        }
    }
}

// Reading the source.
extension SyncEngine {
    /// Reads the source now; see ``SyncService/refresh()``.
    func refresh() async -> RefreshOutcome {
        if Task.isCancelled { return .failed(.cancelled) }
        await abandonedReadHasEnded()
        if connection.isOffline { return .failed(.setOffline) }
        if connection.isWatched { return await refreshWatched() }
        if let wish = connection.schedule.wishToBeLeftAlone(at: elapsed) { return .failed(wish) }
        if connection.schedule.isFresh(at: elapsed) { return RefreshOutcome(shown: [], staged: staging.staged?.keys) }
        reads.showsFailure = true
        handle(.asked)
        if let read = reads.inFlight { return await read.value }
        return await withCheckedContinuation { reads.wait($0) }
    }

    /// A read that is being given up has no result for new callers.
    private func abandonedReadHasEnded() async {
        while !connection.isOffline, let read = reads.inFlight, read.isCancelled { _ = await read.value }
    }

    private func refreshWatched() async -> RefreshOutcome {
        let revision = state.current.snapshot.revision
        // Layers that are still offline would not be read.
        await runs.offlinePassing?.value
        if await source.refresh() {
            reads.askedAt = elapsed
            // A read that began before may have missed the latest state; one that follows it has not.
            if let read = reads.inFlight { _ = await read.value }
        }
        await abandonedReadHasEnded()
        if connection.isOffline { return .failed(.setOffline) }
        let outcome = await joinRead(showingFailure: true).value
        switch outcome {
        case .staged, .failed: return outcome
        case .changed, .unchanged: break
        }
        // The results of the parts may have been shown already, one after another.
        if let keys = state.current.changedKeys(since: revision), !keys.isEmpty { return .changed(keys: keys) }
        return outcome == .unchanged ? reads.partProblem.map { .failed($0) } ?? .unchanged : outcome
    }

    /// Reads the source unless that has just been done, for callers that request one value after another. If that fails, the
    /// status has the problem.
    func freshen() async {
        if let last = reads.askedAt, elapsed - last < SyncPace.askSpacing { return }
        _ = await refresh()
    }

    private func startRead(showingFailure: Bool) -> Task<RefreshOutcome, Never> {
        let presence = connection.offlineCount
        return reads.begin(showingFailure: showingFailure) { number in
            Task(executorPreference: settings.executor) { await self.readOnce(number, while: presence) }
        }
    }

    /// Begins a read, unless one has begun.
    private func joinRead(showingFailure: Bool) -> Task<RefreshOutcome, Never> {
        guard let read = reads.inFlight else { return startRead(showingFailure: showingFailure) }
        reads.showsFailure = reads.showsFailure || showingFailure
        return read
    }

    /// Reads, and reports the outcome to the connection and to the callers, also after a cancellation.
    ///
    /// - Parameters:
    ///   - number: the read's number.
    ///   - presence: how often the program had been set offline when the read began.
    private func readOnce(_ number: Int, while presence: Int) async -> RefreshOutcome {
        let start = elapsed
        let result = await telemetry.traced { await self.readResult(while: presence) }
        if number != reads.number { return await reads.inFlight?.value ?? .failed(.cancelled) }
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
        reads.end()
        telemetry.countRead(result, since: start, settings)
        // They continue on this actor, after the state shows the outcome.
        reads.answer(outcome)
        if !connection.isWatched {
            reads.askedAt = elapsed
            handle(input)
        } else if case .readFailed(let error) = input, reads.showsFailure, source.isAtRest() {
            show(problem: error)
        }
        showConnection()
        // One that was cancelled has not met the source: the next one ends the waits.
        if !connection.isWatched, input != .readCancelled { endRunWaits() }
        if publisher.hasAnswered { runs.endFirstWaits(.answered) }
        return outcome
    }

    private func readResult(while presence: Int) async -> Result<ReadAnswer, ConfigError> {
        do throws(ConfigError) {
            return .success(try await readAndApply(while: presence))
        } catch {
            return .failure(presence == connection.offlineCount ? error : .setOffline)
        }
    }

    private func readAndApply(while presence: Int) async throws(ConfigError) -> ReadAnswer {
        let (isWhole, begun) = (reads.needsWhole, reads.contextCount)
        // What was begun before the program was set offline may come to its turn after it.
        if presence != connection.offlineCount { throw .setOffline }
        let reading = try await countedReading()
        if presence != connection.offlineCount { throw .setOffline }
        // What was read for one user is not shown to another.
        if begun != reads.contextCount { throw .cancelled }
        if let fetched = try fetched(reading, after: fetched) {
            let shown = commit(fetched)
            if reading.preliminaryOrigin == nil { publisher.setAnswered(true) }
            if isWhole { reads.needsWhole = false }
            let outcome = RefreshOutcome(shown: shown, staged: staging.staged?.keys)
            return ReadAnswer(outcome: outcome, nextReadAfter: reading.nextReadAfter, cursor: cursor)
        }
        guard !isWhole else {
            throw ConfigError(
                .damaged,
                "the server sent changes, although the whole state was requested",
                source: source.name
            )
        }
        // Changes that do not fit, or lead to something else than the server has: only the whole state will do.
        reads.needsWhole = true
        return try await readAndApply(while: presence)
    }

    private func countedReading() async throws(ConfigError) -> SourceReading {
        // A file is there at once, or not at all.
        let notice = connection.isWatched ? nil : noticeSlowness()
        defer {
            notice?.end()
            reads.slowSince = nil
        }
        do throws(ConfigError) {
            let reading = try await source.read(after: position)
            telemetry.count { $0.bytesReceived += max(reading.bytesReceived, 0) }
            return reading
        } catch {
            telemetry.count { $0.bytesReceived += max(error.bytesReceived, 0) }
            // They are counted once, whoever else the error is passed on to.
            var error = error
            error.bytesReceived = 0
            throw error
        }
    }

    /// The position to read after.
    private var position: SourcePosition {
        var position = reads.position(at: cache.mark)
        if source.dependsOnContext { position.context = context }
        position.queue = settings.executor.queue
        return position
    }

    /// Shows that the read in flight is slow, once it has taken half a second.
    private func noticeSlowness() -> Subscription {
        let (start, count) = (settings.now(), telemetry.statistics.fetches)
        return settings.clock.call(at: elapsed + .milliseconds(500), on: settings.executor.queue) { [weak self] in
            self?.assumeIsolated { engine in
                // It may come when the read has just ended, and another has begun.
                guard engine.reads.inFlight != nil, engine.telemetry.statistics.fetches == count else { return }
                engine.reads.slowSince = start
                engine.showConnection()
            }
        }
    }

    private func fetched(
        _ reading: SourceReading,
        after snapshot: EntrySnapshot
    ) throws(ConfigError) -> FetchedState? {
        try reads.fetched(
            reading,
            after: (snapshot, cache.mark),
            of: source.name,
            wasThereBefore: staging.staged == nil && state.current.status.expectsFirstReading,
            at: settings.now()
        )
    }
}

// Following the source.
extension SyncEngine {
    /// Listens to a source on this machine, unless the program is offline, or the listener that going offline has
    /// cancelled has not ended yet: its end leads here again.
    private func listenAgain() {
        guard connection.isWatched, runs.isFollowing, !connection.isOffline, runs.listeners[0] == nil else { return }
        connection.followed()
        listen(0)
    }

    /// Listens from now on, under this number.
    private func listen(_ number: Int) {
        let known = position
        runs.listeners[number] = Task(executorPreference: settings.executor) { await self.listen(number, after: known) }
    }

    private func listen(_ number: Int, after known: SourcePosition) async {
        let start = elapsed
        var end = FollowEnd()
        do throws(ConfigError) {
            if Task.isCancelled { throw .cancelled }
            try await source.follow(after: known) { event in await self.receive(event, from: number) }
        } catch {
            end.followError = error
        }
        end.hasLasted = elapsed - start >= ConnectionSchedule.Timing.stableAfter
        // A source that is watched and reports nothing is read once, and again after it could not be followed.
        let isUnread = connection.cannotFollow || !publisher.hasAnswered
        if connection.isWatched, end.followError == nil, isUnread, !Task.isCancelled {
            if case .failed(let error) = await read(after: .settled) { end.readError = error }
        }
        listenerEnded(number, end)
    }

    private func listenerEnded(_ number: Int, _ end: FollowEnd) {
        let wasCancelled = runs.listeners.removeValue(forKey: number)?.isCancelled ?? false
        if connection.isWatched { return wasCancelled ? listenAgain() : followEnded(end) }
        // Those of an earlier run may end during this one.
        let isCurrent = connection.schedule.streamNumber == number
        handle(.streamEnded(number, end.followError))
        showConnection()
        if isCurrent, reads.inFlight == nil { endRunWaits() }
    }

    private func followEnded(_ end: FollowEnd) {
        if let problem = connection.followEnded(end, of: source.name, at: elapsed) {
            show(problem: problem)
            setAlarm()
        }
        endRunWaits()
    }

    private func receive(_ event: SourceEvent, from number: Int) async {
        // What a source reports after its end may be of another context.
        guard runs.listeners[number]?.isCancelled == false else { return }
        switch event {
        case .hint(let hint): _ = await read(after: hint)
        case .alive: showedLife(number)
        case .received(let bytes):
            telemetry.count { $0.bytesReceived += max(bytes, 0) }
            showedLife(number)
        case .retry(let pause): handle(.retryGiven(number, pause))
        case .server(let event):
            showedLife(number)
            // A read in flight may return the change of the event, and only one of the two may apply it.
            // All callers share the read, and it goes on when this listener is not needed any more.
            while let read = reads.inFlight, !Task.isCancelled { await wait(for: read) }
            guard !Task.isCancelled, runs.listeners[number]?.isCancelled == false else { return }
            apply(event, from: number)
            if connection.schedule.phase == .live { telemetry.count { $0.lastSuccessAt = settings.now() } }
            showConnection()
            if reads.inFlight == nil { endRunWaits() }
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
        if let read = reads.inFlight { _ = await Self.end(of: read) }
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
        Task(executorPreference: settings.executor) {
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
        if case .hello = event { handle(.streamOpened(number)) }
        let mark = cache.mark
        switch StreamStep(after: event, at: mark) {
        case .nothing: break
        case .read: handle(.readNeeded)
        case .readWhole(let epoch): readWhole(of: epoch)
        case .apply(let changes, let epoch):
            let time = settings.now()
            guard let update = fetched.updated(with: changes, epoch: epoch, from: source.name, at: time) else {
                return readWhole(of: epoch)
            }
            commit(FetchedState(update, CacheMark(validators: mark.validators, modifiedAt: mark.modifiedAt), at: time))
        }
    }

    /// Reads the whole state. Another epoch is read by the cursor, so that the answer is a reset.
    private func readWhole(of epoch: Epoch) {
        reads.needsWhole = epoch == cursor?.epoch
        handle(.readNeeded)
    }
}

// Taking over, showing and announcing.
extension SyncEngine {
    /// Shows what was fetched and waits; see ``SyncService/activate()``.
    func activate() -> ConfigDidUpdate? {
        var next = draft
        let keys = staging.activate(in: &next, modifiedAt: cache.mark.modifiedAt, at: settings.now())
        return keys.flatMap { show(next, changedKeys: $0) }
    }

    /// Takes over a state: it is cached, then visible, then announced; or it waits, where changes are staged.
    ///
    /// - Returns: the keys whose values that are shown changed.
    @discardableResult
    private func commit(_ fetched: FetchedState) -> [String] {
        var next = draft
        let changedKeys = take(fetched, in: &next)
        show(next, changedKeys: changedKeys)
        return changedKeys
    }

    /// Takes over a state: it is cached, and becomes part of the next state or is staged.
    private func take(_ fetched: FetchedState, in next: inout ConfigState.Current) -> [String] {
        cache.keep(fetched, at: elapsed) { connection.schedule.backoff($0) }
        setAlarm()
        next.status.cacheProblem = cache.problem
        if connection.isWatched {
            connection.showReading(in: &next.status, besides: reads.partProblem, of: source, settings)
        }
        return staging.take(fetched, in: &next, by: &rules)
    }

    /// A copy of the shown state, to change.
    private var draft: ConfigState.Current {
        var next = state.current
        next.status.statistics = telemetry.statistics
        next.status.readingSince = reads.slowSince
        return next
    }

    private func catchUpCache(isLast: Bool = false) {
        let former = cache.problem
        cache.catchUp(at: elapsed, isLast: isLast) { connection.schedule.backoff($0) }
        if cache.problem != former { showStatus { $0.cacheProblem = cache.problem } }
    }

    private func show(problem: ConfigError) {
        showStatus {
            $0.show(problem)
            $0.nextAttemptAt = connection.nextAttempt(settings)
        }
    }

    private func showConnection() { showStatus { setConnection(&$0) } }

    private func setConnection(_ status: inout SyncStatus) {
        let hasAnswered = publisher.hasAnswered
        connection.show(in: &status, besides: reads.partProblem, hasAnswered: hasAnswered, settings)
    }

    /// Shows that a run has begun, whose source is still to be read.
    private func showBeginning() {
        guard connection.isWatched else { return showConnection() }
        if state.current.status.phase == .stopped { showStatus { $0.phase = phaseBeforeReading } }
    }

    private var phaseBeforeReading: SyncStatus.Phase {
        Connection.phaseBeforeReading(hasAnswered: publisher.hasAnswered)
    }

    private func showStatus(_ change: (inout SyncStatus) -> Void) {
        var next = draft
        change(&next.status)
        show(next, changedKeys: [])
    }

    @discardableResult
    private func show(_ next: ConfigState.Current, changedKeys: [String]) -> ConfigDidUpdate? {
        var next = next
        // Whatever a read has found, nothing follows the source.
        if runs.haveEnded, !connection.isOffline { next.status.phase = .stopped }
        telemetry.shows(next.snapshot, after: state.current.snapshot)
        return publisher.show(next, changedKeys: changedKeys)
    }
}

// Who the program is used by.
extension SyncEngine {
    var context: EvaluationContext? { rules.context }

    /// Sets the context; see ``SyncService/setContext(_:)``.
    func setContext(_ context: EvaluationContext?) -> ConfigDidUpdate? {
        let context = context?.withStandardAttributes(programVersion: settings.programVersion)
        guard context != rules.context else { return nil }
        rules.context = context
        return source.dependsOnContext ? beginAgain() : evaluateAgain()
    }

    /// Shows what the rules give in the current context.
    private func evaluateAgain() -> ConfigDidUpdate? {
        var next = draft
        next.context = context
        let modifiedAt = cache.mark.modifiedAt
        let keys = staging.evaluateAgain(in: &next, by: &rules, modifiedAt: modifiedAt, at: settings.now())
        return show(next, changedKeys: keys)
    }

    /// Shows what is known in the current context, and reads the source.
    private func beginAgain() -> ConfigDidUpdate? {
        let time = settings.now()
        layers?.setContext(context)
        staging.beginContext(after: state.current.status.origin)
        var launched = draft
        launchAgain(in: &launched, at: time)
        let phase = launched.status.phase
        // What the layers have counts at once, and so does why none has anything: no hint follows where nothing changes.
        do throws(ConfigError) {
            if let reading = try layers?.reading(), let fetched = try fetched(reading, after: launched.snapshot) {
                _ = take(fetched, in: &launched)
            } else if connection.isWatched {
                launched.status.phase = phaseBeforeReading
            }
        } catch {
            launched.status.show(error)
        }
        if !runs.isFollowing || connection.isOffline { launched.status.phase = phase }
        readAgain()
        setConnection(&launched.status)
        // Observers see both steps as one change.
        var next = draft
        let keys = launched.snapshot.entries.keys(differingFrom: next.snapshot.entries)
        next.follow((launched.snapshot.numbered(next.snapshot.revision + (keys.isEmpty ? 0 : 1)), keys))
        (next.context, next.status) = (context, launched.status)
        if !keys.isEmpty { next.status.lastChangeAt = time }
        return show(next, changedKeys: keys)
    }

    /// Forgets what is known of the source, and takes what was cached in the current context. Layers have done the same;
    /// the shown values of layers that do not depend on the context stay.
    private func launchAgain(in next: inout ConfigState.Current, at time: Timestamp) {
        cache.change(to: context, at: elapsed) { connection.schedule.backoff($0) }
        reads.beginContext()
        let launch = staging.launch(cache.load(), layers?.values ?? [], at: time)
        cache.begin(with: launch.mark)
        publisher.setAnswered(false)
        next.snapshot = rules.evaluated(alone: launch.snapshot, at: time)
        next.status.cacheProblem = cache.problem
        next.status.problem = nil
        next.status.hasStagedChanges = false
        (next.status.origin, next.status.modifiedAt) = (launch.origin, launch.mark.modifiedAt)
    }

    /// Reads and follows the source in the current context.
    private func readAgain() {
        let isReading = reads.inFlight != nil
        restartRead()
        guard connection.isWatched else { return handle(.contextChanged) }
        // The engines of layers have done the same; the listener of the whole stays.
        if !runs.isFollowing || layers != nil { return }
        // It listens again once it has ended.
        runs.listeners[0]?.cancel()
        if !connection.isOffline, !isReading { _ = startRead(showingFailure: true) }
    }

    /// Replaces the read in flight, which is of a former context, by one in the current context. The result of the former
    /// is dropped, and it is not waited for: its callers get the result of the new one.
    private func restartRead() {
        guard !connection.isOffline, let read = reads.inFlight, !read.isCancelled else { return }
        read.cancel()
        _ = startRead(showingFailure: reads.showsFailure)
    }
}

// The first state.
extension SyncEngine {
    /// Settles a promise once the source has answered, or cannot.
    func waitForFirst(_ first: Promise<WaitEnd>) async {
        if publisher.hasAnswered { return first.settle(.answered) }
        if connection.isOffline { return first.settle(.offline) }
        if runs.haveEnded { return first.settle(.ended) }
        runs.wait(first)
        // The result is what the promise gets, and the status has what is wrong.
        if !runs.isFollowing { _ = await refresh() }
    }

    func forget(_ first: Promise<WaitEnd>) { runs.forget(first) }
}

extension SyncStatus {
    /// Takes over why the source cannot be read.
    fileprivate mutating func show(_ problem: ConfigError) {
        phase = problem.meansOffline ? .offline : .error
        self.problem = problem
    }

    /// Whether what is read next was there before: it is what is read first, and nobody has seen its place empty, or with
    /// something else that was of no use.
    fileprivate var expectsFirstReading: Bool {
        guard let problem else { return origin == .nothing }
        return origin == .nothing && problem.meansOffline && problem.code != .notFound
    }
}
