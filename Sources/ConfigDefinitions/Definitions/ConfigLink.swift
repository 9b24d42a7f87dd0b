public import ConfigModel
public import Observing

/// One of the places that may override a definition's value.
///
/// Links of your own conform to this:
///
/// ```swift
/// struct LaunchArgument: ConfigLink {
///     let flag: String
///     var name: String { "flag --\(flag)" }
///     func answer(from sources: ConfigSources) -> Override<Bool> {
///         CommandLine.arguments.contains("--\(flag)") ? .value(true) : .none
///     }
/// }
/// let isQuiet = ConfigDefinition("app.quiet", default: false).link(LaunchArgument(flag: "quiet"))
/// ```
public protocol ConfigLink<Value>: Sendable {
    /// The type of the values.
    associatedtype Value: Equatable & Sendable

    /// What the inspector calls the link, such as `remote app.title`.
    var name: String { get }

    /// The override, if there is one at this moment. It is asked for on any thread, and often: it must be quick.
    ///
    /// - Throws: what is wrong with the override that there is, such as a malformed value. The next link is asked then.
    func answer(from sources: ConfigSources) throws(ConfigError) -> Override<Value>

    /// For an explanation, why there is no override, if the reason is that the one that is there cannot be used.
    func problem(in sources: ConfigSources) -> ConfigError?

    /// What is sent whenever the answer may have changed. Without any, a change is noticed only when somebody asks.
    func changes(in sources: ConfigSources) -> [ChangeSignal]

    /// Called when a definition with this link is added to a repository.
    ///
    /// - Parameters:
    ///   - definition: the definition.
    ///   - index: the link's index among the definition's links.
    ///   - sources: the repository's sources.
    func join(_ definition: ConfigDefinition<Value>, at index: Int, in sources: ConfigSources)
}

extension ConfigLink {
    /// No problem: a link that has one throws it with its answer.
    public func problem(in sources: ConfigSources) -> ConfigError? { nil }

    /// No signals.
    public func changes(in sources: ConfigSources) -> [ChangeSignal] { [] }

    /// Does nothing.
    public func join(_ definition: ConfigDefinition<Value>, at index: Int, in sources: ConfigSources) {}
}

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
