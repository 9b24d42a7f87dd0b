// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
internal import ConfigRules
package import Configuration
package import Observing

/// A configuration reader that definitions read from, and which notifies them of changes.
package final class ObservedReader: Sendable {
    package enum Watching: Sendable {
        /// By watching each key that a definition reads, with a task for each.
        case keys
        /// By watching the whole configuration and comparing all keys after each change, for providers that do not report
        /// changes of single keys.
        case snapshots
        /// By signals from code that knows which keys have changed.
        case signals(KeyedSignals)
        /// Not at all.
        case never
        /// Not at all, and each value is read once, as environment variables stay as they are.
        case constant
    }

    /// The reader.
    package let reader: ConfigReader
    private let watching: Watching
    private let value: @Sendable (String) -> EntryValue?
    // One set of signals for each kind, since some providers notify only watchers of the right kind.
    private let signals: [(kind: ReaderKind, signals: KeyedSignals)]
    private let snapshots: ChangeSignal
    private let contexts = ContextChanges.ofProgram
    /// A key, and the kinds that are read.
    private struct Place: Hashable {
        let name: String
        let kinds: [ReaderKind]
    }

    private let failure = Observed<ConfigError?>(nil)
    /// Whether its values stay as they are.
    let isConstant: Bool
    /// The values of a constant reader.
    private let constants = ReadOnce<Place, EntryValue?>()

    /// Wraps a reader.
    ///
    /// - Parameter value: returns the value of a key that the reader has as an object, in neither text nor bytes of JSON.
    package init(
        _ reader: ConfigReader,
        watching: Watching = .keys,
        value: @escaping @Sendable (_ key: String) -> EntryValue? = { _ in nil }
    ) {
        (self.reader, self.watching, self.value) = (reader, watching, value)
        isConstant = if case .constant = watching { true } else { false }
        let failure = failure
        snapshots = ChangeSignal { send in
            Self.watch(failure) {
                try await JSONRequest.with(JSONRequest(.allLayers)) {
                    try await reader.watchSnapshot { await Self.follow($0, send) }
                }
            }
        }
        signals = ReaderKind.allCases.map { kind in
            let signals = KeyedSignals { key, send in
                let key = DottedKey(key).ofReader
                return Self.watch(failure) { try await Self.watch(key, as: kind, of: reader, send) }
            }
            return (kind: kind, signals: signals)
        }
    }

    /// The error that ended the detection of changes; `nil` while it works, or while no listener needs it.
    package var problem: ConfigError? { failure.value }

    /// The signal that is sent after the value of a key may have changed.
    func changes(ofKey key: String, as kind: ReaderKind) -> ChangeSignal {
        switch watching {
        // A watcher of a text is not notified when one object replaces another.
        case .keys where kind == .json: snapshots
        // The value of a user may change while the program's own, which is watched, does not.
        case .keys where EvaluationContext.current != nil: snapshots
        case .keys: signals.first { $0.kind == kind }?.signals[key] ?? snapshots
        case .snapshots: snapshots
        case .signals(let signals): signals[key]
        case .never, .constant: Self.silence
        }
    }

    private static let silence = ChangeSignal()

    /// The evaluation context of the values. A change in any configuration counts: a reader does not name its providers.
    var context: (text: String, changes: ChangeSignal) {
        var text = "\(contexts.count)"
        if let ofTask = EvaluationContext.current { text += EntryValue.object(ofTask.members).canonicalJSON }
        return (text, contexts.signal)
    }

    /// The value of a key, of the first of these kinds that has one, all read at one moment.
    func json(at key: DottedKey, as kinds: [ReaderKind]) -> EntryValue? {
        if isConstant {
            return constants.value(of: Place(name: key.text, kinds: kinds)) { json(at: key, as: kinds, from: reader) }
        }
        // A single read is consistent by itself, and a snapshot takes a fifth of its time.
        if kinds.count == 1 { return json(at: key, as: kinds, from: reader) }
        return json(at: key, as: kinds, from: reader.snapshot())
    }

    /// The same from a reader, or a snapshot of one.
    func json(at key: DottedKey, as kinds: [ReaderKind], from reader: some KindReading) -> EntryValue? {
        if kinds.count > 1, !JSONRequest.isProbe {
            return JSONRequest.$isProbe.withValue(true) { json(at: key, as: kinds, from: reader) }
        }
        for kind in kinds {
            if let json = kind.read(key.ofReader, from: reader) { return json }
            if kind == .json, let value = value(key.text) { return value }
        }
        return nil
    }
}

extension ObservedReader {
    /// Watches a reader until the closure that it returns is called.
    ///
    /// - Parameter failure: receives the error of a provider that can no longer be watched; values stay unchanged.
    private static func watch(
        _ failure: Observed<ConfigError?>,
        _ body: @escaping @Sendable () async throws -> Void
    ) -> @Sendable () -> Void {
        // All listeners share the signal, so that the context of the task that listens first, and its graceful shutdown, do
        // not count.
        let task = Task.detached {
            failure.replace(with: nil)
            do {
                try await body()
            } catch is CancellationError {
                // The signal has no listeners any more.
            } catch {
                let message = "cannot watch for changes: \(error)"
                failure.replace(with: ConfigError(.unreachable, message, underlying: error))
            }
        }
        return { task.cancel() }
    }

    /// Watches a key as a kind, since some providers notify only watchers of the right kind.
    private static func watch(
        _ key: ConfigKey,
        as kind: ReaderKind,
        of reader: ConfigReader,
        _ send: @escaping @Sendable () -> Void
    ) async throws {
        // A value of the topmost layer that a definition cannot use hides none of a lower one.
        try await JSONRequest.with(JSONRequest(.allLayers)) {
            switch kind {
            case .string, .json, .jsonArray: try await reader.watchString(forKey: key) { await follow($0, send) }
            case .int: try await reader.watchInt(forKey: key) { await follow($0, send) }
            case .double: try await reader.watchDouble(forKey: key) { await follow($0, send) }
            case .bool: try await reader.watchBool(forKey: key) { await follow($0, send) }
            case .stringArray: try await reader.watchStringArray(forKey: key) { await follow($0, send) }
            case .intArray: try await reader.watchIntArray(forKey: key) { await follow($0, send) }
            case .doubleArray: try await reader.watchDoubleArray(forKey: key) { await follow($0, send) }
            case .boolArray: try await reader.watchBoolArray(forKey: key) { await follow($0, send) }
            }
        }
    }

    private static func follow<Update: Sendable>(
        _ updates: ConfigUpdatesAsyncSequence<Update, Never>,
        _ send: @Sendable () -> Void
    ) async {
        // The listeners make separate requests.
        await JSONRequest.with(nil) {
            // The first update is the current value. It counts too: the value may have changed since it was last read.
            for await _ in updates { send() }
        }
    }
}

/// A key with its dots, and as a reader takes it.
struct DottedKey: Sendable {
    let text: String
    let ofReader: ConfigKey

    init(_ text: String) {
        self.text = text
        // No dot is left out: `a..b` is not `a.b`.
        ofReader = ConfigKey(text.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
    }
}
