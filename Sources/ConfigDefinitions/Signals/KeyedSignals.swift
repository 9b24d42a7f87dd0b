internal import Synchronization

/// A signal for each of any number of keys, made when first asked for.
///
/// It is what a store of one's own needs for ``KeyValueStore/changes(ofKey:)``.
public final class KeyedSignals: Sendable {
    private let signals = Mutex<[String: ChangeSignal]>([:])
    private let make: @Sendable (String) -> ChangeSignal

    /// Creates signals that are sent by hand with ``send(_:)``.
    public init() { make = { _ in ChangeSignal() } }

    init(make: @escaping @Sendable (String) -> ChangeSignal) { self.make = make }

    /// The signal of a key, always the same.
    public subscript(key: String) -> ChangeSignal {
        signals.withLock { signals in
            if let signal = signals[key] { return signal }
            let signal = make(key)
            signals[key] = signal
            return signal
        }
    }

    /// Sends the signals of keys. A key that nobody has asked about costs one look-up.
    public func send(_ keys: some Sequence<String>) {
        for key in keys { signals.withLock { $0[key] }?.send() }
    }
}
