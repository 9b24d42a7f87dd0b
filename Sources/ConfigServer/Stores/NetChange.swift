public import ConfigModel

/// What leads from one revision of a namespace to another, for a client that is to be brought forward.
public struct NetChange: Hashable, Sendable {
    /// The values that keys have got.
    public var upserts: [String: ConfigValue]
    /// The keys that have gone.
    public var deletes: Set<String>

    /// Creates a change from its parts.
    public init(upserts: [String: ConfigValue], deletes: Set<String>) {
        self.upserts = upserts
        self.deletes = deletes
    }
}
