public import ConfigModel
public import Foundation
public import Logging
public import ServiceLifecycle

/// Keeps a ``ConfigState`` equal to its source, in the background, for as long as it runs.
///
/// ```swift
/// let service = SyncService(source: FileSource(path: "config.json"))
/// try await withThrowingTaskGroup { group in
///     group.addTask { try await service.run() }
///     …
/// }
/// ```
///
/// Good news travels at once; bad news waits until the source has settled, because a file that an editor is
/// writing is broken for a moment. Whatever is wrong, the last good state stays.
public actor SyncService: Service {
    /// The state that this service keeps.
    public nonisolated let state: ConfigState

    private let executor = QueueExecutor(label: "livery.sync")
    private let source: any ConfigSource
    private let notificationCenter: NotificationCenter
    private let logger: Logger
    private let now: @Sendable () -> Timestamp
    /// The one read under way: two could end in the wrong order and leave the older state.
    private var readInFlight: Task<RefreshOutcome, Never>?
    /// Whether the read under way shows its failure.
    private var showsFailure = false

    /// Where this actor runs; see ``QueueExecutor``.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a service that does nothing until it is run or asked to refresh.
    ///
    /// - Parameters:
    ///   - source: where the configuration comes from.
    ///   - notificationCenter: where changes are announced.
    ///   - logger: hears of problems with the source.
    ///   - now: the clock that dates changes.
    public init(
        source: some ConfigSource,
        notificationCenter: NotificationCenter = .default,
        logger: Logger = Logger(label: "livery.sync", factory: { _ in SwiftLogNoOpLogHandler() }),
        now: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        self.source = source
        self.notificationCenter = notificationCenter
        self.logger = logger
        self.now = now
        state = ConfigState(source: source.name)
    }

    /// Follows the source until the task is cancelled or a graceful shutdown begins.
    public func run() async {
        let following = Task(executorPreference: executor) { await self.follow() }
        await withTaskCancellationOrGracefulShutdownHandler {
            await following.value
        } onCancelOrGracefulShutdown: {
            following.cancel()
        }
    }

    private func follow() async {
        try? await source.follow(after: SourcePosition()) { event in
            if case .hint(let hint) = event { await self.take(hint) }
        }
    }

    private func take(_ hint: SourceHint) async {
        // A read that began before the hint may have missed what the hint is about.
        while let readInFlight { await Self.end(of: readInFlight) }
        await Self.end(of: read(because: hint))
    }

    /// Waits for a read, which is cancelled together with the caller.
    private static func end(of read: Task<RefreshOutcome, Never>) async {
        await withTaskCancellationHandler {
            _ = await read.value
        } onCancel: {
            read.cancel()
        }
    }

    /// Reads the source now. A request that comes while a read is under way joins it.
    ///
    /// - Returns: what the read brought; a failure is shown in the status as well, once the source has settled.
    @discardableResult
    public func refresh() async -> RefreshOutcome {
        if let readInFlight {
            showsFailure = true
            return await readInFlight.value
        }
        return await read(because: .settled).value
    }

    private func read(because hint: SourceHint) -> Task<RefreshOutcome, Never> {
        showsFailure = hint == .settled
        let read = Task(executorPreference: executor) { await self.readOnce() }
        readInFlight = read
        return read
    }

    private func readOnce() async -> RefreshOutcome {
        defer { readInFlight = nil }
        do throws(ConfigError) {
            return apply(try await source.read())
        } catch {
            if showsFailure, !Task.isCancelled, source.isAtRest() { report(error) }
            return .failed(error)
        }
    }
}

extension SyncService {
    private func apply(_ reading: SourceReading) -> RefreshOutcome {
        let now = now()
        var next = state.current
        let changedKeys: [String]
        guard let document = reading.document else { return .unchanged }
        (next.snapshot, changedKeys) = next.snapshot.updated(with: document, from: source.name, at: now)
        next.status.phase = .live
        next.status.problem = nil
        next.status.modifiedAt = reading.modifiedAt
        if !changedKeys.isEmpty { next.status.lastChangeAt = now }
        show(next, changedKeys: changedKeys)
        return changedKeys.isEmpty ? .unchanged : .changed(keys: changedKeys)
    }

    private func report(_ problem: ConfigError) {
        var next = state.current
        next.status.phase = problem.code == .notFound ? .offline : .error
        next.status.problem = problem
        show(next, changedKeys: [])
    }

    /// Makes a state visible, then announces what is new about it.
    private func show(_ next: ConfigState.Current, changedKeys: [String]) {
        let previous = state.current
        state.replace(with: next)
        if !changedKeys.isEmpty {
            let update = ConfigDidUpdate(revision: next.snapshot.revision, changedKeys: changedKeys)
            notificationCenter.post(update, subject: state)
        }
        if next.status != previous.status {
            if let problem = next.status.problem { logger.warning("\(problem)") }
            notificationCenter.post(SyncStatusDidChange(status: next.status), subject: state)
        }
    }
}

extension Timestamp {
    /// The system clock's time.
    public static var now: Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
