/// Where the links of definitions find their values: what is the same for all definitions of a program.
public struct ConfigSources: Sendable {
    /// Asked by ``ConfigDefinition/remote(_:in:)``.
    public var remote: ReaderSource?
    /// Asked by ``ConfigDefinition/environment(_:in:)``.
    public var environment: ReaderSource?
    /// Asked by ``ConfigDefinition/stored(key:in:)``.
    public var store: (any KeyValueStore)?
    /// Asked by ``ConfigDefinition/tweak(category:section:name:)``.
    public var tweaks: TweakRepository?
    /// What conditions look at.
    public var surroundings: Surroundings

    /// Creates sources; a link whose source is missing has no override.
    public init(
        remote: ReaderSource? = nil,
        environment: ReaderSource? = nil,
        store: (any KeyValueStore)? = nil,
        tweaks: TweakRepository? = nil,
        surroundings: Surroundings = Surroundings()
    ) {
        self.remote = remote
        self.environment = environment
        self.store = store
        self.tweaks = tweaks
        self.surroundings = surroundings
    }
}
