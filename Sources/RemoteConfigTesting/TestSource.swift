// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Dispatch
public import RemoteConfig
internal import Synchronization

/// A source that a test drives.
///
/// ```swift
/// let source = TestSource(["app.title": "Hi"])
/// let service = RemoteConfigService(source: source)
/// await service.running {
///     await source.publish(["app.title": "Hello", "app.limit": 3])
///     #expect(service["app.title"] == "Hello")
///     await source.goOffline()
///     #expect(service.state.current.status.phase == .offline)
/// }
/// ```
///
/// Each action has taken effect when the call returns: each service that runs on the source has read it, and observers
/// of its state have been called (`ConfigState.changes`). So has one that has read the source and whose run has not
/// begun yet. A service whose run has ended reads it with its next `refresh()`, one that polls with its next poll, and
/// one that has just come online, or of which this is a layer, a moment later. The source has an epoch, and a revision
/// for each publish, as a server has. Its objects are branches of the keys, as those of a plain document are, unless it
/// is exact, as a server is.
public final class TestSource: ConfigSource {
    /// The source as it is called in the status and in errors.
    public let name: String
    /// Watched, unless the source is created with a polling interval.
    public let delivery: SourceDelivery
    private let clock: any Clock<Duration>
    private let state: Mutex<State>

    /// A service that watches the source.
    fileprivate struct Follower {
        let changes: AsyncStream<Void>.Continuation
        /// The number of changes that it has read.
        var read = -1
        /// The tasks that wait for a number of reads.
        var waiters: [(AsyncStream<Never>.Continuation, until: Int)] = []
    }

    fileprivate struct State {
        let isExact: Bool
        var values: [String: EntryValue]
        var revision: UInt64 = 1
        let epoch = Epoch.random()
        var failure: ConfigError?
        var latency = Duration.zero
        var readCount = 0
        /// The number of changes.
        var changeCount = 0
        var followers: [Int: Follower] = [:]
        /// The services that have read a watched source.
        var readers: [Reader] = []
    }

    fileprivate struct Reader {
        /// The queue of the service, which no other has.
        let queue: DispatchQueue
        /// Has the service read again; `nil` once it has followed the source.
        var readAgain: (@Sendable () async -> Void)?
    }

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - values: the initial values.
    ///   - rules: the rules of keys, as flagd writes them.
    ///   - isExact: whether an object is the value of its key, as on a server; otherwise its members are keys below it.
    ///   - name: the name, under which services cache their values.
    ///   - interval: the polling interval; without one the source reports changes itself.
    ///   - clock: the clock of ``latency``.
    public init(
        _ values: [String: EntryValue] = [:],
        rules: [String: EntryValue] = [:],
        isExact: Bool = false,
        name: String = "test",
        pollingEvery interval: Duration? = nil,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        (self.name, self.clock) = (name, clock)
        delivery = interval.map { .polled(every: $0) } ?? .watched
        var values = values
        for (key, rule) in rules { values[EntryKind.rule.key(of: key)] = rule }
        state = Mutex(State(isExact: isExact, values: values))
    }

    /// The values of the source, as they were published.
    public var values: [String: EntryValue] { state.withLock(\.values) }

    /// The number of reads, including failed ones.
    public var readCount: Int { state.withLock(\.readCount) }

    /// The duration of a read, initially zero. While it is longer, calls that change something do not wait for the services,
    /// since the test advances the clock: use ``settled()`` if the clock advances by itself.
    public var latency: Duration {
        get { state.withLock(\.latency) }
        set { state.withLock { $0.latency = newValue } }
    }

    /// Publishes values, all at once: one revision.
    ///
    /// - Parameters:
    ///   - values: the new values of keys; `nil` removes a key, with those below it. Other keys stay as they are, unless they are
    ///     above or below a new one. A key against the rule for keys, or one that an object of the same call has as well, is
    ///     published too, and is what reading the source then fails with, as for a broken file.
    ///   - rules: the new rules of keys; `nil` removes a rule.
    public func publish(_ values: [String: EntryValue?] = [:], rules: [String: EntryValue?] = [:]) async {
        await change { state in
            state.put(values)
            for (key, rule) in rules { state.values[EntryKind.rule.key(of: key)] = rule }
            state.revision += 1
        }
    }

    /// Removes keys, all at once.
    public func remove(_ keys: String...) async {
        await publish(Dictionary(keys.map { ($0, nil) }) { $1 })
    }

    /// Fails from now on with this error: `unauthorized`, `unavailable`, `syntax`, ….
    public func fail(_ error: ConfigError) async {
        await change { $0.failure = error }
    }

    /// Makes the source unreachable. Values published from now on arrive when it is online again.
    public func goOffline() async {
        await fail(ConfigError(.unreachable, "the source is offline (set by the test)"))
    }

    /// Can be read again, after ``goOffline()`` or ``fail(_:)``.
    public func goOnline() async {
        await change { $0.failure = nil }
    }

    /// Waits until every service that runs on the source has read its current contents, or the task is cancelled.
    public func settled() async {
        let (changeCount, followers) = state.withLock { ($0.changeCount, Array($0.followers.keys)) }
        for number in followers {
            let (reading, continuation) = AsyncStream<Never>.makeStream()
            state.withLock { state in
                guard let follower = state.followers[number], follower.read < changeCount else {
                    return continuation.finish()
                }
                state.followers[number]?.waiters.append((continuation, until: changeCount))
            }
            for await _ in reading {}
        }
    }

    private func change(_ change: (inout State) -> Void) async {
        let (isSlow, readers) = state.withLock { state in
            change(&state)
            state.changeCount += 1
            for follower in state.followers.values { follower.changes.yield() }
            return (state.latency > .zero, state.readers.compactMap(\.readAgain))
        }
        if isSlow { return }
        for readAgain in readers { await readAgain() }
        await settled()
    }
}

extension TestSource.State {
    /// Replaces values. An object is split into its keys where one of them is replaced, unless the source is exact.
    mutating func put(_ new: [String: EntryValue?]) {
        if !isExact {
            let named = new.flatMap { key, value in (value ?? .null).branches(of: key).map(\.key) }
            for (key, value) in values where EntryKind(of: key) == .value && named.contains(where: key.isOnBranch) {
                values[key] = nil
                for (key, value) in value.branches(of: key) where !named.contains(where: key.isOnBranch) {
                    values[key] = value
                }
            }
        }
        for (key, value) in new { values[key] = value }
    }
}

extension String {
    /// Whether this key is another one, above or below it.
    fileprivate func isOnBranch(of other: String) -> Bool {
        let (path, otherPath) = ((self + ".").utf8, (other + ".").utf8)
        return path.starts(with: otherPath) || otherPath.starts(with: path)
    }
}

extension EntryValue {
    /// The keys of a plain document with this value at a key, and their values.
    fileprivate func branches(of key: String) -> [(key: String, value: EntryValue)] {
        guard case .object(let object) = self, !object.isEmpty else { return [(key, self)] }
        return object.flatMap { $0.value.branches(of: "\(key).\($0.key)") }
    }
}

// Calls by the service.
extension TestSource {
    /// Reads everything, unless the source is to fail.
    public func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        let latency = state.withLock { state in
            state.readCount += 1
            if delivery == .watched { state.note(known, readAgain: known.readAgain) }
            return state.latency
        }
        if latency > .zero {
            do {
                try await clock.sleep(for: latency)
            } catch {
                throw ConfigError(.cancelled, "the read was cancelled", source: name)
            }
        }
        return try state.withLock { state throws(ConfigError) in try state.reading(named: name, after: known) }
    }

    /// Reports every change, if the source is watched.
    public func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            let number = (state.followers.keys.max() ?? 0) + 1
            state.followers[number] = Follower(changes: continuation)
            state.note(known, readAgain: nil)
            return number
        }
        defer { leave(number) }
        continuation.yield()
        for await _ in changes {
            let changeCount = state.withLock(\.changeCount)
            await receive(.hint(.settled))
            noteRead(of: changeCount, by: number)
        }
    }

    private func noteRead(of changeCount: Int, by number: Int) {
        let ready = state.withLock { state in
            let waiters = state.followers[number]?.waiters ?? []
            state.followers[number]?.read = changeCount
            state.followers[number]?.waiters = waiters.filter { $0.until > changeCount }
            return waiters.filter { $0.until <= changeCount }
        }
        for (waiter, _) in ready { waiter.finish() }
    }

    private func leave(_ number: Int) {
        let waiters = state.withLock { $0.followers.removeValue(forKey: number)?.waiters } ?? []
        for (waiter, _) in waiters { waiter.finish() }
    }
}

extension TestSource.State {
    /// Notes that the service of a position reads or, where `readAgain` is `nil`, follows the source.
    fileprivate mutating func note(_ known: SourcePosition, readAgain: (@Sendable () async -> Void)?) {
        guard let queue = known.queue else { return }
        if let index = readers.firstIndex(where: { $0.queue === queue }) {
            if readAgain == nil { readers[index].readAgain = nil }
        } else {
            readers.append(TestSource.Reader(queue: queue, readAgain: readAgain))
        }
    }

    fileprivate func reading(named name: String, after known: SourcePosition) throws(ConfigError) -> SourceReading {
        if let failure { throw failure.source == nil ? failure.naming(source: name) : failure }
        let snapshot = try ServerSnapshot(
            values: values,
            isExact: isExact,
            at: RevisionCursor(epoch: epoch, revision: revision),
            from: name
        )
        // As a server answers a client of another history.
        return SourceReading(.snapshot(snapshot, isReset: known.cursor.map { $0.epoch != epoch } ?? false))
    }
}
