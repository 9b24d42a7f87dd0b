// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import ConfigWire
internal import Dispatch
internal import Observing
internal import Synchronization

/// Keeps a state equal to its source, for a ``RemoteConfigService``: reads and follows the source, one step after
/// another on one queue, and applies the results.
///
/// The parts decide: ``ConnectionSchedule`` when to read and follow and what to report on the source, ``Reads`` which read
/// counts, ``Runs`` whether the source is followed, ``Callers`` which callers wait, ``SyncedState`` what is cached, shown
/// and announced.
actor SyncEngine {
    let settings: ServiceSettings
    /// The source that is read, or its layers if it has any.
    let source: any ConfigSource
    let layers: Layers?
    let publisher: Publisher
    /// Whether a cache, or that of a layer, is loaded after the first state is shown.
    let loadsLater: Bool
    private var hasLoadedCache = false
    /// Whether the service has been released. A read that its last caller has asked for may begin after this.
    private var isAbandoned = false
    private(set) var schedule: ConnectionSchedule
    /// The time of the next attempt, kept so that it is computed once.
    private var nextAttempt: (due: Duration, at: Timestamp)?
    private(set) var synced: SyncedState
    private var reads = Reads()
    private(set) var runs = Runs()
    nonisolated let callers = Callers()
    private var alarm = Alarm()

    /// The executor of this actor: a private queue, not the shared thread pool.
    nonisolated var unownedExecutor: UnownedSerialExecutor { settings.executor.asUnownedSerialExecutor() }

    init(source: any ConfigSource, _ settings: ServiceSettings) {
        let layers =
            source.layers.isEmpty
            ? nil
            : Layers(of: source) { SyncEngine(source: $0, settings.ofLayer($0, named: $1)) }
        (self.settings, self.layers, self.source) = (settings, layers, layers ?? source)
        synced = SyncedState(of: source, layers, settings)
        publisher = synced.publisher
        schedule = ConnectionSchedule(for: self.source.delivery, settings.pauses)
        if settings.isOffline { _ = schedule.handle(.wentOffline, at: settings.clock.elapsed) }
        loadsLater = synced.loadsLater || layers?.loadLater == true
        // Before anything else that happens here, since nothing has been called yet.
        if loadsLater { Task(executorPreference: settings.executor) { [weak self] in await self?.loadCache() } }
    }

    /// The state that the engine keeps.
    nonisolated var state: ConfigState { publisher.state }

    /// Whether a run is in progress.
    var isFollowing: Bool { runs.isFollowing }

    private var elapsed: Duration { settings.clock.elapsed }

    /// Loads a large cache once, after those of the layers. Nothing is read before: fetched values are compared with the
    /// cached ones, and may have to wait for their activation.
    func loadCache() async {
        if !loadsLater || hasLoadedCache { return }
        await layers?.loadCaches()
        if hasLoadedCache { return }
        hasLoadedCache = true
        change { $0.show(launched: $0.launch(layers?.values, isFirst: true)) }
    }

    /// Changes the state, then shows it.
    @discardableResult
    private func change<Result, Failure>(
        _ body: (inout SyncedState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { if let publication = synced.takePublication() { publisher.show(publication) } }
        return try body(&synced)
    }
}

extension Layers {
    /// Loads the large caches of the layers.
    fileprivate func loadCaches() async { for layer in leaves where layer.loadsLater { await layer.loadCache() } }
}

// The life cycle.
extension SyncEngine {
    /// Follows the source until the task is cancelled or a graceful shutdown begins.
    ///
    /// - Parameter didBegin: called once the source has been read in this run, or could not be, or no read is needed: the
    ///   program is offline, or the last read is recent enough and its stream is open. Not called in a run that ends before.
    func run(_ didBegin: @escaping @Sendable () -> Void) async {
        let following = EvaluationContext.withoutCurrent {
            Task(executorPreference: settings.executor) { await self.follow(didBegin) }
        }
        await withShutdownHandler {
            await following.value
        } onShutdown: {
            following.cancel()
        }
    }

    private func follow(_ didBegin: @escaping @Sendable () -> Void) async {
        await loadCache()
        var isWaiting = begin()
        while isWaiting, !Task.isCancelled {
            await callers.runs.value(ifCancelled: ())
            // The context may have changed since the wait was ended, so that there is no outcome yet.
            isWaiting = state.current.status.phase == .starting
        }
        if !isWaiting { didBegin() }
        let (untilCancelled, _) = AsyncStream<Never>.makeStream()
        for await _ in untilCancelled {}
        runs.end()
        if runs.haveEnded {
            callers.firsts.endAll(with: .ended)
            await end(of: stop())
        }
    }

    /// - Returns: Whether the run waits for the source.
    private func begin() -> Bool {
        // A later run waits with those before it.
        var awaitsSource = callers.runs.count > 0
        if runs.begin() {
            start(.started)
            awaitsSource = reads.inFlight != nil || schedule.stream.number != nil
        }
        if !schedule.isOffline, awaitsSource { return true }
        endRunWaits()
        return state.current.status.phase == .starting
    }

    private func start(_ input: ConnectionSchedule.Input) {
        publisher.begin()
        change { $0.passTime() }
        handle(input)
        showConnection()
    }

    /// Stops following the source. Nothing may come between this and its reason, as it would between calls that await.
    ///
    /// - Returns: The tasks that are ending.
    private func stop() -> (listeners: [Task<Void, Never>], read: Task<RefreshOutcome, Never>?) {
        handle(.stopped)
        let (listeners, read) = (Array(runs.listeners.values), reads.inFlight)
        for listener in listeners { listener.cancel() }
        read?.cancel()
        showConnection()
        endRunWaits()
        return (listeners, read)
    }

    /// Returns once following the source has ended, unless the next run, with its own listeners and reads, has begun.
    private func end(of tasks: (listeners: [Task<Void, Never>], read: Task<RefreshOutcome, Never>?)) async {
        for listener in tasks.listeners { await listener.value }
        _ = await tasks.read?.value
        if runs.isFollowing { return }
        if synced.cache.deadline != nil { change { $0.catchUpCache(isLast: true) } }
        setAlarm()
    }

    /// Follows the source no longer, until ``resume()``, and returns once everything for that has ended.
    ///
    /// - Parameter isWanted: Whether it is still wanted when its turn comes.
    func pause(if isWanted: @Sendable () -> Bool = { true }) async {
        if !isWanted() { return }
        runs.isPaused = true
        // Also where another pause has not ended yet.
        if runs.isRunning { await end(of: stop()) }
    }

    /// Follows the source again, and reads it at once.
    func resume() {
        let wasPaused = runs.isPaused
        runs.isPaused = false
        change { $0.passTime() }
        guard wasPaused, runs.isFollowing else { return }
        // A read that the pause has cancelled, and that has not ended yet, is replaced.
        if !schedule.isOffline, reads.inFlight?.isCancelled == true { startRead(showingFailure: true) }
        start(.resumed)
        if let layers, !schedule.isOffline {
            EvaluationContext.withoutCurrent {
                _ = Task(executorPreference: settings.executor) { await layers.refresh() }
            }
        }
        // The cache may have unwritten values.
        setAlarm()
    }

    /// Connects again, since connections of a former network may be dead, and its errors do not count any more.
    func reconnect() {
        guard runs.isFollowing, !schedule.isOffline else { return }
        if let layers { return layers.reconnect() }
        if !schedule.isWatched, let read = reads.inFlight {
            // Its callers get the result of the next one.
            read.cancel()
            startRead(showingFailure: reads.showsFailure)
        }
        handle(.networkChanged)
        showConnection()
    }

    /// Resumes the bodies of the runs once the state has the outcome of a read, of a stream, or of going offline. In a new
    /// context there is none yet.
    private func endRunWaits() {
        if state.current.status.phase == .starting { return }
        callers.runs.endAll(with: ())
    }

    /// Cancels the read in flight, since there is no service any more.
    func abandon() {
        isAbandoned = !runs.isFollowing
        if isAbandoned { reads.inFlight?.cancel() }
    }

    /// Sets the program offline or online.
    func setOffline(_ isOffline: Bool) {
        guard isOffline != schedule.isOffline else { return }
        if isOffline {
            reads.goOffline()
            callers.outcomes.endAll(with: .failed(.setOffline))
        }
        handle(isOffline ? .wentOffline : .cameOnline)
        showConnection()
        if isOffline {
            endRunWaits()
            callers.firsts.endAll(with: .offline)
        }
        if runs.offlinePassing != nil { return }
        runs.offlinePassing = EvaluationContext.withoutCurrent {
            Task(executorPreference: settings.executor) { await self.forwardOfflineSetting() }
        }
    }

    /// Passes the setting to the source, one call at a time, until the source has the latest.
    private func forwardOfflineSetting() async {
        var passed: Bool?
        while passed != schedule.isOffline {
            passed = schedule.isOffline
            await layers?.setOffline(schedule.isOffline)
        }
        runs.offlinePassing = nil
    }

    /// Reports an event to the schedule, and performs its actions.
    private func handle(_ input: ConnectionSchedule.Input) {
        let wasRequested = schedule.reads.isRequested
        for action in schedule.handle(input, at: elapsed) {
            switch action {
            case .read: startRead(showingFailure: true)
            case .openStream(let number): listen(number)
            case .closeStream(let number): runs.listeners[number]?.cancel()
            }
        }
        let (opened, resyncs) = (schedule.stream.openedCount, schedule.resyncs.total)
        synced.telemetry.count { ($0.reconnects, $0.resyncs) = (max(opened - 1, 0), resyncs) }
        if wasRequested, reads.inFlight == nil, !schedule.reads.isRequested {
            callers.outcomes.endAccepted(with: .failed(schedule.retryAfterError(at: elapsed) ?? .cancelled))
        }
        setAlarm()
    }

    private func setAlarm() {
        // Nothing more of a paused program may be written until it resumes.
        let cacheDeadline = runs.isPaused ? nil : synced.cache.deadline
        let timeDeadline = runs.isFollowing ? synced.timeDeadline : nil
        let due = [schedule.deadline, cacheDeadline, timeDeadline].compactMap(\.self).min()
        alarm.set(at: due, by: settings.clock, on: settings.executor.queue) { [weak self] in
            self?.assumeIsolated { $0.ring() }
        }
    }

    private func ring() {
        alarm.rang()
        let now = elapsed
        if let due = synced.cache.deadline, due <= now { change { $0.catchUpCache() } }
        if runs.isFollowing { change { $0.passTime() } }
        if let due = schedule.deadline, due <= now {
            handle(.timePassed)
            showConnection()
        } else {
            setAlarm()
        }
    }

    private func showConnection() {
        change { $0.showStatus { showConnection(in: &$0, besides: $1) } }
    }

    /// - Parameter partProblem: The problem of a part of the source.
    private func showConnection(in status: inout SourceStatus, besides partProblem: ConfigError?) {
        show(schedule, in: &status, besides: partProblem)
        status.isSetOffline = schedule.isOffline
        status.nextAttemptAt = timeOfNextAttempt()
    }

    private func show(
        _ schedule: ConnectionSchedule,
        in status: inout SourceStatus,
        besides partProblem: ConfigError?
    ) {
        (status.phase, status.hasFailed) = (schedule.phase, schedule.hasFailed)
        if schedule.isWatched, status.phase == .streaming, source.active?.reportsEveryChange() == false {
            status.phase = .polling
        }
        let hidesPart = schedule.isWatched && schedule.isOffline
        status.problem = schedule.problem ?? (hidesPart ? nil : partProblem)
    }

    private func timeOfNextAttempt() -> Timestamp? {
        guard let due = schedule.nextAttempt else {
            nextAttempt = nil
            return nil
        }
        if let nextAttempt, nextAttempt.due == due { return nextAttempt.at }
        let (seconds, attoseconds) = (due - elapsed).components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        let time = Timestamp(milliseconds: settings.now().milliseconds + milliseconds)
        nextAttempt = (due, time)
        return time
    }
}

// The callers.
extension SyncEngine {
    /// Time limits have a separate queue: that of the engine may be blocked by a file that does not answer.
    private static let limits = DispatchQueue(label: "livery.limits")

    /// Calls the engine and waits for its answer, for as long as the timeout allows.
    ///
    /// - Parameters:
    ///   - waiters: Where the caller waits.
    ///   - timeout: `nil` for none.
    ///   - late: The answer at the end of the timeout.
    ///   - cancelled: The answer once the task is cancelled.
    ///   - call: Notes what is asked of the engine.
    nonisolated func answer<Answer>(
        from waiters: Waiters<Answer>,
        within timeout: Duration?,
        ifLate late: Answer,
        ifCancelled cancelled: Answer,
        _ call: (inout Callers.Calls) -> Void
    ) async -> Answer {
        if Task.isCancelled { return cancelled }
        if timeout == .zero {
            note(call)
            return late
        }
        var limit: ObservationToken?
        defer { limit?.end() }
        return await waiters.value(ifCancelled: cancelled) { number in
            limit = timeout.map { timeout in
                settings.clock.call(at: settings.clock.elapsed + timeout, on: Self.limits) {
                    waiters.end([number], with: late)
                }
            }
            note(call)
        }
    }

    /// Notes a call. One task takes all calls that come before it begins; it is in no caller's context.
    private nonisolated func note(_ call: (inout Callers.Calls) -> Void) {
        guard callers.note(call) else { return }
        EvaluationContext.withoutCurrent {
            _ = Task(executorPreference: settings.executor) { await self.takeCalls() }
        }
    }

    private func takeCalls() async {
        var calls = callers.take()
        if calls.awaitFirst { calls.askForRead = mustRead() || calls.askForRead }
        if !calls.askForRead { return }
        await loadCache()
        ask()
    }

    /// Ends the waits for the first state if it is known.
    ///
    /// - Returns: Whether nothing else will read the source. The status will have the problem.
    private func mustRead() -> Bool {
        let end: WaitEnd? =
            publisher.hasAnswered ? .answered : schedule.isOffline ? .offline : runs.haveEnded ? .ended : nil
        if let end { callers.firsts.endAll(with: end) }
        return end == nil && !runs.isFollowing && !runs.isPaused
    }

    /// Reads the source now; see ``RemoteConfigService/refresh(timeout:)``.
    nonisolated func refresh(within timeout: Duration? = nil, ifLate late: RefreshOutcome = .unchanged) async
        -> RefreshOutcome
    {
        await answer(from: callers.outcomes, within: timeout, ifLate: late, ifCancelled: .failed(.cancelled)) {
            $0.askForRead = true
        }
    }

    /// Answers the new callers, or has them wait for a read.
    private func ask() {
        let new = callers.outcomes
        if schedule.isOffline { return new.end(new.accept(), with: .failed(.setOffline)) }
        if let layers { return refresh(layers) }
        // A read that is being given up has no result for new callers.
        if reads.inFlight?.isCancelled == true { return reads.askAgain() }
        if schedule.isWatched {
            _ = new.accept()
            _ = joinRead(showingFailure: true)
            return
        }
        if let wish = schedule.retryAfterError(at: elapsed) {
            return new.end(new.accept(), with: .failed(wish))
        }
        if schedule.reads.isFresh(at: elapsed) {
            return new.end(new.accept(), with: RefreshOutcome(shown: [], staged: synced.stagedKeys))
        }
        _ = new.accept()
        reads.showsFailure = true
        handle(.asked)
    }

    /// Reads each layer and then the whole, for the callers until now. Later callers wait for the next refresh.
    private func refresh(_ layers: Layers) {
        guard reads.beginRefresh() else { return }
        _ = callers.outcomes.accept()
        EvaluationContext.withoutCurrent {
            _ = Task(executorPreference: settings.executor) { await self.refreshAll(layers) }
        }
    }

    private func refreshAll(_ layers: Layers) async {
        let outcome = await outcome(ofRefreshing: layers)
        reads.endRefresh()
        callers.outcomes.endAccepted(with: outcome)
        if reads.takeAskedAgain() { ask() }
    }

    private func outcome(ofRefreshing layers: Layers) async -> RefreshOutcome {
        let revision = state.current.snapshot.revision
        // Layers that are still offline would not be read.
        await runs.offlinePassing?.value
        await layers.refresh()
        noteRead()
        // A read that began before may have missed the latest state; one that follows it has not.
        if let read = reads.inFlight { _ = await read.value }
        if schedule.isOffline { return .failed(.setOffline) }
        let outcome = await joinRead(showingFailure: true).value
        switch outcome {
        case .staged, .failed: return outcome
        case .changed, .unchanged: break
        }
        // The results of the layers may have been shown already, one after another.
        if let keys = state.current.changedKeys(since: revision), !keys.isEmpty { return .changed(keys: keys) }
        return reported(outcome)
    }

    /// The outcome for callers. Without changes it is a failure if a part of a watched source has a problem.
    private func reported(_ outcome: RefreshOutcome) -> RefreshOutcome {
        guard schedule.isWatched, outcome == .unchanged, let problem = synced.readings.partProblem else {
            return outcome
        }
        return .failed(problem)
    }

    /// Reads the source unless that has just been done; see ``RemoteConfigService/refreshIfStale()``.
    nonisolated func refreshIfStale() async {
        let last = callers.askedAt.withLock(\.self)
        if let last, settings.clock.elapsed - last < ConnectionPolicy.askSpacing { return }
        _ = await refresh()
    }

    private func noteRead() {
        let now = elapsed
        callers.askedAt.withLock { $0 = now }
    }
}

// Reading the source.
extension SyncEngine {
    @discardableResult
    private func startRead(showingFailure: Bool) -> Task<RefreshOutcome, Never> {
        publisher.begin()
        if layers == nil, reads.takeAskedAgain() { _ = callers.outcomes.accept() }
        let read = reads.begin(showingFailure: showingFailure) { ticket in
            // All callers share the read, which is in the context of none of them.
            EvaluationContext.withoutCurrent {
                Task(executorPreference: settings.executor) { await self.readOnce(ticket) }
            }
        }
        if isAbandoned { read.cancel() }
        return read
    }

    /// Begins a read, unless one has begun.
    private func joinRead(showingFailure: Bool) -> Task<RefreshOutcome, Never> {
        guard let read = reads.inFlight else { return startRead(showingFailure: showingFailure) }
        reads.showsFailure = reads.showsFailure || showingFailure
        return read
    }

    /// Reads, and reports the outcome to the schedule and to the callers, also after a cancellation.
    private func readOnce(_ ticket: Reads.Ticket) async -> RefreshOutcome {
        let start = elapsed
        let result = await synced.telemetry.traced { await self.readResult(ticket) }
        // Its callers get the result of the read that replaced it, which may have ended before.
        if ticket.number != reads.number { return await reads.latest?.value ?? .failed(.cancelled) }
        let outcome: RefreshOutcome
        let input: ConnectionSchedule.Input
        switch result {
        case .success(let answer):
            outcome = answer.outcome
            input = .readSucceeded(nextReadAfter: answer.nextReadAfter)
        case .failure(let error):
            outcome = .failed(error)
            // A failed read of a file that is being written says nothing about it; its next hint leads to another.
            let isFinal = !schedule.isWatched || reads.showsFailure && source.active?.isSettled() != false
            input = Task.isCancelled || !isFinal ? .readCancelled : .readFailed(error)
        }
        reads.end()
        synced.readingSince = nil
        synced.telemetry.countRead(outcome, since: start, settings)
        callers.readEnds.endAll(with: ())
        let isAskedAgain = layers == nil && reads.takeAskedAgain()
        if !schedule.isWatched { noteRead() }
        handle(input)
        showConnection()
        // A cancelled read shows nothing about the source: the next one ends the waits.
        if input != .readCancelled { endRunWaits() }
        if publisher.hasAnswered { callers.firsts.endAll(with: .answered) }
        if layers == nil { callers.outcomes.endAccepted(with: reported(outcome)) }
        if isAskedAgain { ask() }
        return outcome
    }

    private func readResult(_ ticket: Reads.Ticket) async -> Result<ReadAnswer, ConfigError> {
        do throws(ConfigError) {
            while true {
                // Work begun before the program was set offline may be scheduled after it.
                try reads.check(ticket)
                let reading = try await countedReading()
                try reads.check(ticket)
                if let answer = try take(reading) { return .success(answer) }
            }
        } catch {
            return .failure(reads.wasSetOffline(since: ticket) ? .setOffline : error)
        }
    }

    private func take(_ reading: SourceReading) throws(ConfigError) -> ReadAnswer? {
        defer { setAlarm() }
        // Without a run there is no alarm.
        change { $0.passTime() }
        let answer = try change { (synced) throws(ConfigError) in
            try synced.take(reading) { status, partProblem in
                // The values and the phase are shown together: the schedule is notified once the values are current.
                var next = schedule
                _ = next.handle(.readSucceeded(nextReadAfter: reading.nextReadAfter), at: elapsed)
                show(next, in: &status, besides: partProblem)
            }
        }
        // Without a run, nothing may come after this read.
        if schedule.isWatched { change { $0.catchUpCache(pausing: runs.isFollowing) } }
        if answer != nil, reading.preliminaryOrigin == nil { publisher.setAnswered(true) }
        return answer
    }

    private func countedReading() async throws(ConfigError) -> SourceReading {
        // A file is there at once, or not at all.
        let notice = schedule.isWatched ? nil : showSlowRead()
        defer {
            notice?.end()
            synced.readingSince = nil
        }
        do throws(ConfigError) {
            let reading = try await source.read(after: position)
            synced.telemetry.count { $0.bytesReceived += max(reading.bytesReceived, 0) }
            return reading
        } catch {
            synced.telemetry.count { $0.bytesReceived += max(error.bytesReceived, 0) }
            // They are counted once, even if the error is passed on.
            var error = error
            error.bytesReceived = 0
            throw error
        }
    }

    /// The position to read after.
    private var position: SourcePosition {
        var position = synced.readings.position(at: synced.cache.mark)
        if source.dependsOnContext { position.context = context }
        // A program that wraps a source reads whole documents.
        if source is any ActiveSource, !synced.readings.needsWhole { position.text = synced.fetched.layers[0].text }
        position.queue = settings.executor.queue
        position.readAgain = { [weak self] in await self?.readAgainBeforeRun() }
        return position
    }

    /// Shows that the read in flight is slow, once it has taken half a second.
    private func showSlowRead() -> ObservationToken {
        let (start, count) = (settings.now(), synced.telemetry.statistics.fetches)
        return settings.clock.call(at: elapsed + .milliseconds(500), on: settings.executor.queue) { [weak self] in
            self?.assumeIsolated { engine in
                // It may come when the read has just ended, and another has begun.
                guard engine.reads.inFlight != nil, engine.synced.telemetry.statistics.fetches == count else { return }
                engine.synced.readingSince = start
                engine.showConnection()
            }
        }
    }
}

// Following the source.
extension SyncEngine {
    /// Listens from now on, under this number.
    private func listen(_ number: Int) {
        let known = position
        // It outlives the task that begins it, and ends neither with a graceful shutdown of that.
        runs.listeners[number] = Task.detached(executorPreference: settings.executor) {
            await self.listen(number, after: known)
        }
    }

    private func listen(_ number: Int, after known: SourcePosition) async {
        var end: ConnectionSchedule.Input
        do throws(ConfigError) {
            if Task.isCancelled { throw .cancelled }
            try await source.follow(after: known) { await self.receive($0, from: number) }
            end = .streamEnded(number, nil)
            // A source that is watched and reports nothing is read once, and again after it could not be followed.
            let isUnread = schedule.stream.problem != nil || !publisher.hasAnswered
            if schedule.isWatched, isUnread, !Task.isCancelled, case .failed(let error) = await read(after: .settled) {
                end = .unreadStreamEnded(number, error)
            }
        } catch {
            end = .streamEnded(number, schedule.isWatched ? error.namingIfUnnamed(source: source.name) : error)
        }
        runs.listeners[number] = nil
        // Those of an earlier run may end during this one.
        let isCurrent = schedule.stream.number == number
        handle(end)
        showConnection()
        if isCurrent, reads.inFlight == nil { endRunWaits() }
    }

    private func receive(_ event: SourceEvent, from number: Int) async {
        // Events of a source after its end may belong to another context.
        guard runs.listeners[number]?.isCancelled == false else { return }
        switch event.kind {
        case .hint(let hint): _ = await read(after: hint)
        case .alive: showedLife(number)
        case .received(let bytes):
            synced.telemetry.count { $0.bytesReceived += max(bytes, 0) }
            showedLife(number)
        case .retry(let pause): handle(.retryGiven(number, pause))
        case .server(let event):
            showedLife(number)
            // A read in flight may return the change of the event, and only one of the two may apply it. All callers share the
            // read, and it continues when this listener is no longer needed.
            while reads.inFlight != nil, !Task.isCancelled { await callers.readEnds.value(ifCancelled: ()) }
            guard !Task.isCancelled, runs.listeners[number]?.isCancelled == false else { return }
            if case .hello = event { handle(.streamOpened(number)) }
            let isBehind = change { $0.take(event) }
            // Each change of a preview comes without its content, and is no sign of an inconsistent stream.
            if isBehind { handle(source.preview == nil ? .readNeeded : .asked) } else { setAlarm() }
            if schedule.phase == .streaming { synced.telemetry.count { $0.lastSuccessAt = settings.now() } }
            showConnection()
            if reads.inFlight == nil { endRunWaits() }
        }
    }

    /// The first sign of life after a sleep of the machine ends a stream and starts a read, so that its state is not shown as
    /// if the stream were still live.
    private func showedLife(_ number: Int) {
        handle(.streamAlive(number))
        showConnection()
    }

    private func readAgainBeforeRun() async {
        if !schedule.isOffline, !runs.isPaused, !runs.haveEnded { _ = await read(after: .settled) }
    }

    private func read(after hint: SourceHint) async -> RefreshOutcome {
        // Waiting for a read in a cancelled task would cancel the read.
        if Task.isCancelled { return .failed(.cancelled) }
        // A read that began before the hint may have missed its change.
        if let read = reads.inFlight { _ = await read.valueWithinCaller }
        if Task.isCancelled { return .failed(.cancelled) }
        let outcome = await joinRead(showingFailure: hint == .settled).valueWithinCaller
        // A failed read of an unsettled source is repeated. A listener of an earlier run may end during this one.
        if !Task.isCancelled { endRunWaits() }
        return outcome
    }
}

// Staged changes, and the evaluation context.
extension SyncEngine {
    var context: EvaluationContext? { synced.context }

    /// Makes staged values current; see ``RemoteConfigService/activate()``.
    func activate() -> [String] { change { $0.activate() } }

    /// Sets the context; see ``RemoteConfigService/setContext(_:)``.
    func setContext(_ context: EvaluationContext?) -> [String] {
        let context = context?.withStandardAttributes(programVersion: settings.programVersion)
        guard context != self.context else { return [] }
        defer { setAlarm() }
        return source.dependsOnContext ? beginAgain(in: context) : change { $0.evaluate(in: context) }
    }

    /// Shows what is known in another context, and reads the source.
    private func beginAgain(in context: EvaluationContext?) -> [String] {
        layers?.setContext(context)
        reads.beginContext()
        callers.askedAt.withLock { $0 = nil }
        synced.begin(in: context)
        var launched = synced.launch(layers?.values)
        readAgain()
        // Values of layers become current at once, and so do their problems: no hint follows without a change.
        do throws(ConfigError) {
            if let reading = try layers?.reading() {
                try synced.take(reading, in: &launched)
                handle(.readSucceeded())
            }
        } catch {
            handle(.readFailed(error))
        }
        showConnection(in: &launched.status, besides: synced.readings.partProblem)
        return change { $0.show(launched: launched) }
    }

    /// Reads and follows the source in the current context.
    private func readAgain() {
        let isReading = reads.inFlight != nil
        // The result of a read of the former context is dropped; its callers get that of the new one.
        if !schedule.isOffline, let read = reads.inFlight, !read.isCancelled {
            read.cancel()
            startRead(showingFailure: reads.showsFailure)
        }
        // The engines of layers have done the same; the listener of the whole stays.
        handle(.contextChanged(keepsStream: layers != nil))
        // The next listener of a watched source need not hint at once.
        let mustRead = schedule.isWatched && layers == nil && schedule.isActive
        if mustRead, !isReading { startRead(showingFailure: true) }
    }
}
