// SPDX-License-Identifier: Apache-2.0

/// A value, its origin and the time of its last change.
public struct ConfigEntry: Hashable, Sendable {
    /// The value.
    public var value: EntryValue
    /// The place of the value in the source, if the source is a text.
    public var location: TextLocation?
    /// The name of the source, such as `config.json`.
    public var source: String
    /// The time at which the value was first seen.
    public var changedAt: Timestamp

    /// Creates an entry from its parts.
    public init(value: EntryValue, source: String, location: TextLocation? = nil, changedAt: Timestamp) {
        self.value = value
        self.source = source
        self.location = location
        self.changedAt = changedAt
    }
}
