public import ConfigModel
public import Configuration
public import Observing

/// A configuration reader that definitions read from, and which notifies them of changes.
///
/// ```swift
/// let remote = ReaderSource(ConfigReader(provider: provider))
/// let config = ConfigRepository(sources: ConfigSources(remote: remote))
/// ```
public final class ReaderSource: Sendable {
    /// How changes are noticed.
    public enum Watching: Sendable {
        /// By watching each key that a definition reads, with a task for each.
        case keys
        /// By watching the whole configuration, after each change of which all keys are looked at. For providers that do
        /// not report a change to those who watch a key.
        case snapshots
        /// By signals that somebody sends who knows which keys have changed.
        case signals(KeyedSignals)
        /// Not at all, as with environment variables.
        case never
    }

    /// The reader.
    public let reader: ConfigReader
    private let watching: Watching
    // One set of signals for each kind, since some providers notify only those who watch the right kind.
    private let signals: [ReaderKind: KeyedSignals]
    private let snapshots: ChangeSignal

    /// Wraps a reader.
    public init(_ reader: ConfigReader, watching: Watching = .keys) {
        self.reader = reader
        self.watching = watching
        snapshots = ChangeSignal { signal in Self.watchSnapshots(of: reader, signal) }
        let pairs = ReaderKind.allCases.map { kind in
            (kind, KeyedSignals { key in ChangeSignal { Self.watch(ReaderKey(key), as: kind, of: reader, $0) } })
        }
        signals = Dictionary(uniqueKeysWithValues: pairs)
    }

    /// The source of environment variables, in which `app.title` is `APP_TITLE`.
    ///
    /// - Parameter variables: the variables; without them, those of the program.
    public static func environment(_ variables: [String: String]? = nil) -> ReaderSource {
        let provider =
            variables.map { EnvironmentVariablesProvider(environmentVariables: $0) } ?? EnvironmentVariablesProvider()
        return ReaderSource(ConfigReader(provider: provider), watching: .never)
    }

    /// What is sent after the value of a key may have changed.
    public func changes(ofKey key: ReaderKey, as kind: ReaderKind) -> ChangeSignal {
        switch watching {
        case .keys: signals[kind]?[key.text] ?? snapshots
        case .snapshots: snapshots
        case .signals(let signals): signals[key.text]
        case .never: Self.silence
        }
    }

    private static let silence = ChangeSignal()
}

extension ReaderSource {
    /// Reads a text and turns it into a value of another type.
    ///
    /// - Throws: `typeMismatch` if there is a text that is not of this type.
    public func read<Value>(
        _ key: ReaderKey,
        _ convert: (String) -> Value?,
        expecting typeName: @autoclosure () -> String
    ) throws(ConfigError) -> Override<Value> {
        guard let text = reader.string(forKey: key.key) else { return .none }
        if let value = convert(text) { return .value(value) }
        throw ConfigError(.typeMismatch, "\(JSONValue.string(text).text) is no \(typeName())")
    }

    /// What is at a key where a value of another kind was looked for, as a problem; `nil` if there is nothing at all.
    ///
    /// The reader itself gives nothing in both cases, so every kind is asked for: too slow for each reading of a value.
    func problem(at key: ReaderKey, expecting typeName: String) -> ConfigError? {
        if let text = reader.string(forKey: key.key) {
            return ConfigError(.typeMismatch, "\(JSONValue.string(text).text) is no \(typeName)")
        }
        let kinds: [ReaderKind] = [.bool, .int, .double, .stringArray, .boolArray, .intArray, .doubleArray]
        return kinds.first { has($0, at: key) }
            .map { ConfigError(.typeMismatch, "the value is of the kind \($0.title), which is no \(typeName)") }
    }

    private func has(_ kind: ReaderKind, at key: ReaderKey) -> Bool {
        let key = key.key
        return switch kind {
        case .string: reader.string(forKey: key) != nil
        case .int: reader.int(forKey: key) != nil
        case .double: reader.double(forKey: key) != nil
        case .bool: reader.bool(forKey: key) != nil
        case .stringArray: reader.stringArray(forKey: key) != nil
        case .intArray: reader.intArray(forKey: key) != nil
        case .doubleArray: reader.doubleArray(forKey: key) != nil
        case .boolArray: reader.boolArray(forKey: key) != nil
        }
    }
}

extension ReaderSource {
    /// Sends a signal whenever the value of a key may have changed.
    ///
    /// - Returns: what ends it.
    static func watch(
        _ key: ReaderKey,
        as kind: ReaderKind,
        of reader: ConfigReader,
        _ signal: ChangeSignal
    ) -> @Sendable () -> Void {
        let task = Task { [weak signal] in
            let key = key.key
            // A reader whose providers fail has told its last; its values stay what they are.
            switch kind {
            case .string: try? await reader.watchString(forKey: key) { await send(signal, for: $0) }
            case .int: try? await reader.watchInt(forKey: key) { await send(signal, for: $0) }
            case .double: try? await reader.watchDouble(forKey: key) { await send(signal, for: $0) }
            case .bool: try? await reader.watchBool(forKey: key) { await send(signal, for: $0) }
            case .stringArray: try? await reader.watchStringArray(forKey: key) { await send(signal, for: $0) }
            case .intArray: try? await reader.watchIntArray(forKey: key) { await send(signal, for: $0) }
            case .doubleArray: try? await reader.watchDoubleArray(forKey: key) { await send(signal, for: $0) }
            case .boolArray: try? await reader.watchBoolArray(forKey: key) { await send(signal, for: $0) }
            }
        }
        return { task.cancel() }
    }

    /// Sends a signal whenever anything at all may have changed.
    static func watchSnapshots(of reader: ConfigReader, _ signal: ChangeSignal) -> @Sendable () -> Void {
        let task = Task { [weak signal] in
            try? await reader.watchSnapshot { await send(signal, for: $0) }
        }
        return { task.cancel() }
    }

    private static func send<Update: Sendable>(
        _ signal: ChangeSignal?,
        for updates: ConfigUpdatesAsyncSequence<Update, Never>
    ) async {
        // The first update is the present value. It counts too: the value may have changed since it was last read.
        for await _ in updates {
            // Held strongly only here, so that a signal nobody wants any more can end this task.
            signal?.send()
        }
    }
}
