internal import Configuration

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
