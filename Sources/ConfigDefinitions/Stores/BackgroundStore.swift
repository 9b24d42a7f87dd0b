// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
internal import Dispatch
package import Files
package import Observing
internal import Synchronization

/// A store that takes changes at once, and hands them to another one in the background: for programs whose screen must
/// not wait for a disk, nor for the programs that share a file.
///
/// ```swift
/// let store = BackgroundStore(FileStore(path: "/var/lib/app/tweaks.json"))
/// let tweaks = TweakRepository(store: store)
/// try tweaks.resetAll()
/// if let problem = await store.flush() { print(problem) }
/// ```
///
/// Changes that come while others are being written are written together, so that a burst costs two writes and the last
/// value of each key wins. Values that cannot be written are still used, and written as soon as that is possible: with
/// the next change, after pauses of 0.2 s to 30 s, by ``flush()``, and once more when the store is released; see
/// ``problem``. A value that the other store refuses by itself, such as one that is too large, does not keep others
/// from being written.
package final class BackgroundStore: KeyValueStore {
    private struct State {
        /// The changes that the other store does not have yet.
        var pending: [ExactString: EntryValue?] = [:]
        var isScheduled = false
        var problem: ConfigError?
    }

    /// The other store's name.
    package var name: String { base.name }
    /// Sent after ``problem`` has become another.
    package let problemChanges = ChangeSignal()
    private let base: any KeyValueStore
    private let state = Mutex(State())
    private let signals: KeyedSignals
    private let queue: DispatchQueue
    private let repeated: RepeatedWrite

    /// Creates a store over another one, where values are kept, and read unless they are yet to be written.
    package convenience init(_ base: any KeyValueStore) {
        let queue = Self.newQueue
        self.init(base, queue) { pause, body in
            let milliseconds = Int(pause / .milliseconds(1))
            queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: body)
            return ()
        }
    }

    /// Creates a store whose pauses are a test's.
    package convenience init(_ base: any KeyValueStore, wait: @escaping RepeatedWrite.Wait) {
        self.init(base, Self.newQueue, wait: wait)
    }

    private init(_ base: any KeyValueStore, _ queue: DispatchQueue, wait: @escaping RepeatedWrite.Wait) {
        (self.base, self.queue, repeated) = (base, queue, RepeatedWrite(wait: wait))
        signals = KeyedSignals { base.observe($0, $1) }
    }

    deinit {
        let rest = state.withLock(\.pending)
        if rest.isEmpty { return }
        // The last attempt: its failure has no receiver any more.
        queue.async { [base] in _ = try? base.applyAcceptable(rest) }
    }

    private static var newQueue: DispatchQueue {
        DispatchQueue(label: "livery.background-store", qos: .userInitiated)
    }

    /// The error of the last write, if the newest changes could not be written.
    package var problem: ConfigError? { state.withLock(\.problem) }

    /// The value of a key, whether it is written yet or not.
    package func value(forKey key: String) -> EntryValue? {
        state.withLock { value(forKey: key, $0) }
    }

    /// All values as of now, whether they are written yet or not.
    package func snapshot() -> @Sendable (_ key: String) -> EntryValue? {
        // Within the lock, as a value is read: a written change leaves one store for the other.
        let (pending, written) = state.withLock { ($0.pending, base.snapshot()) }
        return { pending[ExactString($0)] ?? written($0) }
    }

    private func value(forKey key: String, _ state: State) -> EntryValue? {
        state.pending[ExactString(key)] ?? base.value(forKey: key)
    }

    /// Sets or removes values: at once for readers, and soon in the other store.
    package func apply(_ changes: [(key: String, value: EntryValue?)]) {
        let (changed, isNew) = state.withLock { state in
            let changed = changes.lastOfEachKey.filter { value(forKey: $0.key.string, state) != $0.value }
            for (key, value) in changed { state.pending.updateValue(value, forKey: key) }
            defer { state.isScheduled = state.isScheduled || !changed.isEmpty }
            return (changed, !state.isScheduled && !changed.isEmpty)
        }
        if isNew { scheduleWrite() }
        signals.send(changed.map(\.key.string))
    }

    /// Waits until all changes up to now are written, or returns why they cannot be.
    package func flush() async -> ConfigError? {
        await inBackground { self.write() }
        return problem
    }

    /// Runs a closure on the queue of the writes: for work that waits for the disk or for a write.
    package func inBackground<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }

    /// Calls a closure after each change of the value of a key, until the closure that it returns is called or released.
    package func observe(_ key: String, _ didChange: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        signals[key].observe(didChange)
    }

    private func scheduleWrite() { queue.async { self.write() } }

    /// Writes pending changes; on the queue only, so that the order is preserved.
    private func write() {
        let batch = state.withLock { state in
            state.isScheduled = false
            return state.pending
        }
        if batch.isEmpty { return }
        do throws(ConfigError) {
            let (written, refusal) = try base.applyAcceptable(batch)
            repeated.succeeded()
            finish(written)
            report(refusal)
        } catch {
            report(error)
            repeated.failed { [weak self] in self?.scheduleWrite() }
        }
    }

    /// Keeps the other store's current contents.
    private func finish(_ batch: [ExactString: EntryValue?]) {
        state.withLock { state in
            for (key, value) in batch where state.pending[key] == .some(value) { state.pending[key] = nil }
        }
        // The value may have changed in the other store since; that change was hidden until now.
        signals.send(batch.filter { value(forKey: $0.key.string) != $0.value }.map(\.key.string))
    }

    private func report(_ problem: ConfigError?) {
        let isNew = state.withLock { state in
            defer { state.problem = problem }
            return state.problem != problem
        }
        if isNew { problemChanges.send() }
    }
}

extension KeyValueStore {
    /// Applies changes without the values that the store refuses by themselves, whose keys its errors name.
    ///
    /// - Returns: what was written, and the last refusal.
    fileprivate func applyAcceptable(
        _ changes: [ExactString: EntryValue?]
    ) throws(ConfigError) -> (written: [ExactString: EntryValue?], refusal: ConfigError?) {
        var (rest, refusal) = (changes, ConfigError?.none)
        while !rest.isEmpty {
            do throws(ConfigError) {
                try apply(rest)
                break
            } catch {
                let isOfValue = [.tooLarge, .unsupportedValue].contains(error.code)
                guard isOfValue, let key = error.key, rest.removeValue(forKey: ExactString(key)) != nil else {
                    throw error
                }
                refusal = error
            }
        }
        return (rest, refusal)
    }
}
