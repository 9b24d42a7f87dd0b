// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import ConfigWire

/// The state that an engine keeps equal to its source: fetched, cached, then shown or staged, and announced.
///
/// ``Readings`` decides the effect of a reading, ``SourceCache`` writes, `RuleEvaluator` evaluates rules, and
/// ``Staging`` decides what is shown. The engine shows and announces it by its ``Publisher`` after each change
/// (``takePublication()``).
struct SyncedState {
    private let settings: ServiceSettings
    private let source: any ConfigSource
    let publisher: Publisher
    /// Whether the cache is still to be loaded, by ``launch(_:)``, since that takes long.
    let loadsLater: Bool
    private(set) var readings = Readings()
    private(set) var cache: SourceCache
    private var staging: Staging
    private var rules: RuleEvaluator
    private var steps = RuleSteps()
    var telemetry: Telemetry
    /// The start of the read in progress, once it counts as slow.
    var readingSince: Timestamp?
    /// The next state, until it is shown.
    private var publication: Publication?

    /// Adds the problem of a part of the source to the status.
    typealias Completion = (_ status: inout SourceStatus, _ partProblem: ConfigError?) -> Void

    /// Begins with what is cached, unless the cache is large, or with what the layers of the source have.
    init(of source: any ConfigSource, _ layers: Layers?, _ settings: ServiceSettings) {
        (self.settings, self.source) = (settings, source)
        let log = SyncLog(
            source: source.name,
            logger: settings.logger,
            isOfLayers: layers != nil,
            isOfLayer: settings.isLayer
        )
        let context =
            settings.isContextExact
            ? settings.context : settings.context?.withStandardAttributes(programVersion: settings.programVersion)
        // Layers are cached separately, and bundled values and previews are not cached.
        let isCached = layers == nil && source.bundled == nil && source.preview == nil
        cache = SourceCache(isCached ? settings.cache : nil, of: source, in: context, settings, log)
        rules = RuleEvaluator(in: context)
        telemetry = Telemetry(of: layers ?? source, settings)
        staging = Staging(settings.activation, bundledDefault: settings.bundledDefault)
        loadsLater = cache.isLarge
        let time = settings.now()
        let launch = staging.launch(
            LaunchState(of: source, layers: layers?.values, cached: loadsLater ? nil : cache.load(), now: time),
            at: time
        )
        cache.begin(with: launch.mark)
        var status = SourceStatus(source: source.name)
        (status.preview, status.cacheProblem) = (source.preview, cache.problem)
        status.origin = launch.origin
        status.modifiedAt = launch.mark.modifiedAt
        status.isSetOffline = settings.isOffline
        if settings.isOffline { status.phase = .offline }
        let evaluated = rules.evaluated(alone: launch.snapshot, at: time)
        let current = ConfigState.Snapshot(
            snapshot: evaluated,
            status: status,
            context: context,
            rules: rules.rules,
            now: settings.now
        )
        publisher = Publisher(current, on: settings.notificationCenter, log)
    }

    var context: EvaluationContext? { rules.context }

    /// The last known state of the source.
    var fetched: EntrySnapshot { staging.fetched(besides: publisher.state.current.snapshot) }

    /// The keys whose values wait to be shown.
    var stagedKeys: Set<String>? { staging.staged?.keys }

    private var elapsed: Duration { settings.clock.elapsed }

    /// The next state, to be shown now; `nil` if nothing has changed. Observers may call the engine, so that they must not be
    /// called within a change.
    mutating func takePublication() -> Publication? {
        defer { publication = nil }
        return publication
    }

    /// A copy of the shown state, to change.
    private var draft: ConfigState.Snapshot {
        var next = publisher.state.current
        next.status.statistics = telemetry.statistics
        next.status.readingSince = readingSince
        return next
    }
}

// Taking over, showing and announcing.
extension SyncedState {
    /// Takes over a reading.
    ///
    /// - Returns: `nil` if it does not match the known state, so that the whole state must be read.
    mutating func take(_ reading: SourceReading, _ complete: Completion) throws(ConfigError) -> ReadAnswer? {
        let isWhole = readings.needsWhole
        guard let fetched = try fetched(reading, after: fetched) else {
            if isWhole {
                let message = "unexpected response: requested a snapshot, received changes"
                throw ConfigError(.damaged, message, source: source.name)
            }
            readings.needsWhole = true
            return nil
        }
        let keys = commit(fetched, complete)
        if isWhole { readings.needsWhole = false }
        let outcome = RefreshOutcome(shown: keys, staged: stagedKeys)
        return ReadAnswer(outcome: outcome, nextReadAfter: reading.nextReadAfter, cursor: cache.mark.cursor)
    }

    /// Takes over an event of a server's stream.
    ///
    /// - Returns: Whether the source must be read.
    mutating func take(_ event: StreamEvent) -> Bool {
        let mark = cache.mark
        var step = StreamStep(after: event, at: (mark.cursor, mark.digest))
        if case .apply(let changes, let epoch) = step {
            let (time, former) = (settings.now(), fetched)
            let update = former.updated(with: changes, epoch: epoch, from: source.name, at: time)
            if let update, (try? steps.accept(update, after: former)) == nil {
                // The read that follows has the error.
                step = .read
            } else if let update {
                let next = CacheMark(validators: mark.validators, modifiedAt: mark.modifiedAt)
                _ = commit(FetchedState(update, next, at: time)) { _, _ in }
                return false
            } else {
                step = .readWhole(of: epoch)
            }
        }
        // Another epoch is read by the cursor, so that the answer is a reset.
        if case .readWhole(let epoch) = step { readings.needsWhole = epoch == mark.cursor?.epoch }
        return step != .nothing
    }

    private mutating func fetched(
        _ reading: SourceReading,
        after snapshot: EntrySnapshot
    ) throws(ConfigError) -> FetchedState? {
        let fetched = try readings.fetched(
            reading,
            after: (snapshot, cache.mark),
            of: source.name,
            wasThereBefore: staging.staged == nil && publisher.state.current.status.expectsFirstReading,
            at: settings.now()
        )
        if let fetched { try steps.accept(fetched.update, after: snapshot) }
        return fetched
    }

    /// Applies a state: it is cached (``SourceCache``), current and announced; or it is staged.
    ///
    /// - Returns: the keys whose values that are shown changed.
    private mutating func commit(_ fetched: FetchedState, _ complete: Completion) -> [String] {
        var next = draft
        let changedKeys = keep(fetched, in: &next, complete)
        show(next, changedKeys: changedKeys)
        return changedKeys
    }

    /// Applies a state: it is cached, and becomes part of the next state or is staged.
    private mutating func keep(
        _ fetched: FetchedState,
        in next: inout ConfigState.Snapshot,
        _ complete: Completion
    ) -> [String] {
        cache.keep(fetched, at: elapsed)
        next.status.cacheProblem = cache.problem
        complete(&next.status, readings.partProblem)
        return staging.take(fetched, in: &next, by: &rules)
    }

    /// Shows what was fetched and waits; see ``RemoteConfigService/activate()``.
    ///
    /// - Returns: The keys whose shown values change.
    mutating func activate() -> [String] {
        var next = draft
        let keys = staging.activate(in: &next, modifiedAt: cache.mark.modifiedAt, at: settings.now())
        return keys.map { show(next, changedKeys: $0) } ?? []
    }

    /// Writes what is due to the cache.
    mutating func catchUpCache(isLast: Bool = false, pausing: Bool = true) {
        let former = cache.problem
        cache.catchUp(at: elapsed, isLast: isLast, pausing: pausing)
        if cache.problem == former { return }
        var next = draft
        next.status.cacheProblem = cache.problem
        show(next, changedKeys: [])
    }

    /// Shows another status.
    mutating func showStatus(_ complete: Completion) {
        var next = draft
        complete(&next.status, readings.partProblem)
        show(next, changedKeys: [])
    }

    /// - Returns: The changed keys.
    @discardableResult
    private mutating func show(_ next: ConfigState.Snapshot, changedKeys: [String]) -> [String] {
        telemetry.shows(next.snapshot, after: publisher.state.current.snapshot)
        publication = Publication(state: next, changedKeys: changedKeys)
        return changedKeys
    }
}

// In another context, or at a later time.
extension SyncedState {
    /// Shows what the rules give in another context.
    ///
    /// - Returns: The keys whose values change.
    mutating func evaluate(in context: EvaluationContext?) -> [String] {
        rules.context = context
        _ = rules.forgetTimes()
        var next = draft
        next.context = context
        return evaluateAgain(&next) { $0.evaluated(again: $1, at: $2) }
    }

    /// When to call ``passTime()``; `nil` while no rule reads the time.
    var timeDeadline: Duration? {
        rules.nextChange.map { elapsed + .milliseconds(Int64($0) * 1000 - settings.now().milliseconds) }
    }

    /// Evaluates the rules that read the time, if one of them may change now.
    mutating func passTime() {
        guard let due = rules.nextChange, due <= settings.now().seconds else { return }
        let keys = rules.forgetTimes()
        var next = draft
        next.momentCount += 1
        _ = evaluateAgain(&next) { $0.evaluated(later: $1, keys, at: $2) }
    }

    private mutating func evaluateAgain(
        _ next: inout ConfigState.Snapshot,
        _ evaluated: (inout RuleEvaluator, EntrySnapshot, Timestamp) -> EntrySnapshot.Update
    ) -> [String] {
        let time = settings.now()
        // Taken out, so that what it has of many rules is not copied.
        var rules = RuleEvaluator(in: context)
        swap(&rules, &self.rules)
        let keys = staging.evaluateAgain(in: &next, modifiedAt: cache.mark.modifiedAt, at: time) { snapshot in
            evaluated(&rules, snapshot, time)
        }
        self.rules = rules
        return show(next, changedKeys: keys)
    }

    /// Clears the state of the source for another context.
    mutating func begin(in context: EvaluationContext?) {
        rules.context = context
        staging.beginContext(after: publisher.state.current.status.origin)
        cache.change(to: context, at: elapsed)
        (readings, steps) = (Readings(), RuleSteps())
        publisher.setAnswered(false)
    }

    /// Takes what is cached. Layers have done the same; the shown values of layers that do not depend on the context stay.
    ///
    /// - Parameters:
    ///   - layers: What the layers have, if there are any.
    ///   - isFirst: Whether nothing was read before.
    /// - Returns: A state for ``show(launched:)``.
    mutating func launch(_ layers: [LayerValues]?, isFirst: Bool = false) -> ConfigState.Snapshot {
        let time = settings.now()
        var next = draft
        let layers = layers.map { isFirst ? $0 : $0.keepingShown(next.snapshot.own) }
        let launch = staging.launch(LaunchState(of: source, layers: layers, cached: cache.load(), now: time), at: time)
        _ = rules.forgetTimes()
        cache.begin(with: launch.mark)
        next.snapshot = rules.evaluated(alone: launch.snapshot, at: time)
        next.status.cacheProblem = cache.problem
        (next.status.problem, next.status.hasFailed) = (nil, false)
        next.status.hasStagedChanges = false
        (next.status.origin, next.status.modifiedAt) = (launch.origin, launch.mark.modifiedAt)
        return next
    }

    /// Takes over what the layers have.
    mutating func take(_ layers: SourceReading, in launched: inout ConfigState.Snapshot) throws(ConfigError) {
        guard let fetched = try fetched(layers, after: launched.snapshot) else { return }
        _ = keep(fetched, in: &launched) { _, _ in }
    }

    /// Shows the state of a launch. Observers see the launch and what follows as one change.
    ///
    /// - Returns: The keys whose values change.
    @discardableResult
    mutating func show(launched: ConfigState.Snapshot) -> [String] {
        var next = draft
        let update = next.update(to: launched.snapshot)
        next.follow(update)
        (next.context, next.status) = (context, launched.status)
        if !update.changedKeys.isEmpty { next.status.lastChangeAt = settings.now() }
        return show(next, changedKeys: update.changedKeys)
    }
}

extension SourceStatus {
    /// Whether the next read only confirms what existed before: it is the first one, and no reader has seen its absence or an
    /// unusable value.
    fileprivate var expectsFirstReading: Bool {
        guard let problem else { return origin == .nothing }
        return origin == .nothing && problem.meansOffline && problem.code != .notFound
    }
}
