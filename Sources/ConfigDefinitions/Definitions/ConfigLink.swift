public import ConfigModel

/// One of the places that may override a definition's value.
///
/// Links of one's own conform to this:
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

    /// What is sent whenever the answer may have changed. Without any, nobody hears of a change until they ask.
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
