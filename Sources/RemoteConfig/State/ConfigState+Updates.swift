public import ConfigModel

extension ConfigState {
    /// The state now, and then each one that follows it.
    ///
    /// Whoever is slow skips states but always gets the newest. The sequence ends when its task is cancelled.
    ///
    /// ```swift
    /// for await current in state.updates() {
    ///     print(current.status.phase, current.snapshot.revision)
    /// }
    /// ```
    public func updates() -> some AsyncSequence<Current, Never> & Sendable {
        ObservedUpdates(of: observed) {
            StateMark($0)
        } element: { current, _ in
            current
        }
    }

    /// The value of a key now, and then each different one that follows it.
    ///
    /// A value is `nil` while the key is not there or cannot be read as the type. Whoever is slow skips values but
    /// always gets the newest. The sequence ends when its task is cancelled.
    ///
    /// ```swift
    /// for await color in state.updates(forKey: "app.background.color", as: RGBColor.self) {
    ///     paint(color ?? .black)
    /// }
    /// ```
    public func updates<Value: ConfigValueConvertible & Equatable & Sendable>(
        forKey key: String,
        as type: Value.Type = Value.self
    ) -> some AsyncSequence<Value?, Never> & Sendable {
        ObservedUpdates(of: observed) { current in
            current.snapshot.entries[key].flatMap { Value(configValue: $0.value) }
        } element: { _, value in
            value
        }
    }
}

extension ConfigState {
    /// Each state from now on, in order and without the one that is current.
    ///
    /// - Parameter limit: how many may wait for a slow reader; beyond that they are joined with the newest.
    package func succession(keeping limit: Int) -> ConfigSuccession {
        ConfigSuccession(of: observed, limit: limit)
    }
}

/// What tells a state from the next one: a revision of the values stands for all of them.
struct StateMark: Equatable {
    let revision: UInt64
    let cursor: Cursor?
    let status: SyncStatus

    init(_ current: ConfigState.Current) {
        revision = current.snapshot.revision
        cursor = current.snapshot.cursor
        status = current.status
    }
}
