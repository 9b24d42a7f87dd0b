// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import Observing

/// A configuration value: its type, its default and the chain of places that may override it.
///
/// ```swift
/// let title = ConfigDefinition("app.fun_button.text", default: "Dogs are awesome!")
///     .when(.language("es"), return: "¡Los perros son geniales!")
///     .tweak(category: "Button", section: "Look", name: "Text")
///
/// let config = ConfigRepository(tweaks: TweakRepository())
/// config.add(title)
/// print(config[title])
/// ```
///
/// A definition reads the remote key of its id, unless it names another (`.remote(_:in:)`, or `remote:` of the initializer). The
/// link that was added last is evaluated first, that of the id last; the first with an override wins, else the default. A
/// definition is a value: adding a link returns a new definition and leaves the old one unchanged.
public struct ConfigDefinition<Value: Equatable & Sendable>: Sendable, Identifiable {
    /// The definition's name, the same at every launch, such as `app.background.color`.
    public let id: String
    /// The value where no link overrides it.
    public let defaultValue: Value
    /// Whether values are kept out of explanations.
    public let isSecret: Bool
    /// The description of the value, as set by ``described(_:)``.
    public private(set) var summary: String?
    /// The constraints on values beyond their type; see ``limited(by:)``.
    public private(set) var limits: [ValueLimit<Value>] = []
    /// The links in the order in which they were added; the last is evaluated first.
    package private(set) var links: [any ConfigLink<Value>] = []
    private var places: [LinkPlace] = []
    /// Whether two of the links may read the same source, so that it has to be read once for both.
    private var needsSnapshot = false
    /// Whether the first link reads the remote key of the id because no other was named.
    var readsID = false

    /// Creates a definition of a type that is not `Codable`, without links, under an id that no other definition has and that
    /// never changes.
    public init(_ id: String, default defaultValue: Value, isSecret: Bool = false) {
        self.init(id: id, defaultValue, isSecret)
    }

    init(id: String, _ defaultValue: Value, _ isSecret: Bool) {
        self.id = id
        self.defaultValue = defaultValue
        self.isSecret = isSecret
    }

    /// The definition without the link to the remote key of the id, because another key is named.
    func forgettingID() -> ConfigDefinition {
        guard readsID else { return self }
        var definition = self
        definition.readsID = false
        definition.links.removeFirst()
        definition.places.removeFirst()
        let places = definition.places
        definition.needsSnapshot = places.indices.contains { index in
            places[..<index].contains { $0.canEqual(as: places[index]) }
        }
        return definition
    }

    /// The definition with a custom link, which is evaluated before all others.
    package func link(_ link: some ConfigLink<Value>) -> ConfigDefinition { self.link(link, reading: .unknown) }

    func link(_ link: some ConfigLink<Value>, reading place: LinkPlace) -> ConfigDefinition {
        var definition = self
        definition.needsSnapshot = needsSnapshot || places.contains { $0.canEqual(as: place) }
        definition.places.append(place)
        var link: any ConfigLink<Value> = link
        for limit in limits { link = link.limited(by: limit) }
        definition.links.append(link)
        return definition
    }

    /// The definition with a description for people who set the value. ``ConfigRepository/schemaDocument()`` writes it into the
    /// JSON Schema.
    public func described(_ summary: String) -> ConfigDefinition {
        var definition = self
        definition.summary = summary
        return definition
    }

    /// The definition with a limit to its values, besides those it has.
    ///
    /// An override outside the limit, from any link, is ignored: the next link decides, and an explanation has the reason, as
    /// for a value of the wrong type. The order in which limits and links are added does not matter.
    ///
    /// The default is not checked at run time, since nothing could replace it: ``ConfigRepository/schemaDocument()`` throws if
    /// it is outside the limits.
    public func limited(by limit: ValueLimit<Value>) -> ConfigDefinition {
        var definition = self
        definition.limits.append(limit)
        for index in links.indices { definition.links[index] = links[index].limited(by: limit) }
        return definition
    }

    func replacingLastLink(_ replacement: (any ConfigLink<Value>) -> any ConfigLink<Value>) -> ConfigDefinition {
        var definition = self
        if definition.links.count == 1 { definition.readsID = false }
        if let link = definition.links.popLast() { definition.links.append(replacement(link)) }
        return definition
    }

    /// The value in the inputs, or in a snapshot of them. An explanation reports the errors of overrides.
    package func value(from inputs: LinkInputs) -> Value {
        value(from: inputs, below: links.count)
    }

    /// The signals that announce a possible change of the value.
    func changes(in inputs: LinkInputs) -> [ChangeSignal] {
        changes(in: inputs, below: links.count)
    }

    /// The value as if only the first links had been added.
    func value(from inputs: LinkInputs, below count: Int) -> Value {
        // A source that is read once needs no snapshot, which takes time.
        needsSnapshot ? found(in: inputs.readingOnce(), below: count) : found(in: inputs, below: count)
    }

    private func found(in inputs: LinkInputs, below count: Int) -> Value {
        var index = count
        while index > 0 {
            index -= 1
            do throws(ConfigError) {
                if case .value(let value) = try links[index].answer(from: inputs) { return value }
            } catch {
                // The next link decides: explanations and `ConfigRepository.problems` report why this one did not.
            }
        }
        return defaultValue
    }

    func changes(in inputs: LinkInputs, below count: Int) -> [ChangeSignal] {
        // Plain loops here and where definitions are added: a slice or sequence of links would be a new type for each type of
        // value, and the runtime would search all conformances of the program for each of its protocols.
        var signals: [ChangeSignal] = []
        for index in 0..<count {
            for signal in links[index].changes(in: inputs) where !signals.contains(signal) {
                signals.append(signal)
            }
        }
        return signals
    }
}

/// One of the places that may override a definition's value.
///
/// A link of an app's own is made of a closure; see ``ConfigDefinition/dynamic(_:changes:_:)``.
package protocol ConfigLink<Value>: Sendable {
    /// The type of the values.
    associatedtype Value: Equatable & Sendable

    /// The name of the link in the inspector, such as `remote app.title`.
    var name: String { get }

    /// The key of the remote configuration that the override has, for ``ConfigRepository/schemaDocument()``; `nil` if it comes
    /// from elsewhere.
    var remoteKey: String? { get }

    /// The current override, if there is one. It is called often and on any thread, so it must return quickly.
    ///
    /// The inputs may be those of one moment (``LinkInputs/snapshot()``): read a store by
    /// ``LinkInputs/value(forKey:in:)`` and a reader by ``LinkInputs/reader(of:)``, so that all links find the same.
    ///
    /// - Throws: the error of an existing override, such as a malformed value. The next link is then evaluated.
    func answer(from inputs: LinkInputs) throws(ConfigError) -> Override<Value>

    /// The same link, which rejects a value outside the limit like one of another type. A requirement, since a cast to a type of
    /// links that can would make the runtime search the whole program.
    func limited(by limit: ValueLimit<Value>) -> any ConfigLink<Value>

    /// For an explanation, the reason why the current override cannot be used; `nil` if it can, or without an override.
    func problem(in inputs: LinkInputs) -> ConfigError?

    /// For explanations, the origin of the override, such as the file or layer of a reader's value; `nil` if the link's name is
    /// enough.
    func origin(in inputs: LinkInputs) -> String?

    /// The signals that announce a possible change of the override. Without any, a change is only noticed at the next read.
    func changes(in inputs: LinkInputs) -> [ChangeSignal]

    /// The evaluation context, such as the user, that the override depends on; `nil` if it depends on none. A last good value
    /// (``ConfigDefinition/lastGood()``) is used in no other context than its own.
    ///
    /// The text is another one after each change of the context, also to a former context; the signal is sent after the context
    /// may have changed.
    func context(in inputs: LinkInputs) -> (text: String, changes: ChangeSignal)?

    /// Called when a definition with this link, at this index of its links, is added to a repository with these inputs.
    func join(_ definition: ConfigDefinition<Value>, at index: Int, in inputs: LinkInputs)
}

extension ConfigLink {
    /// The answer of the link, an error included.
    func result(from inputs: LinkInputs) -> Result<Override<Value>, ConfigError> {
        Result { () throws(ConfigError) in try answer(from: inputs) }
    }
}

extension ConfigLink {
    /// None.
    package var remoteKey: String? { nil }

    /// No problem: a link that has one throws it with its answer.
    package func problem(in inputs: LinkInputs) -> ConfigError? { nil }

    /// No origin beyond the link's name.
    package func origin(in inputs: LinkInputs) -> String? { nil }

    /// No signals.
    package func changes(in inputs: LinkInputs) -> [ChangeSignal] { [] }

    /// None.
    package func context(in inputs: LinkInputs) -> (text: String, changes: ChangeSignal)? { nil }

    /// Does nothing.
    package func join(_ definition: ConfigDefinition<Value>, at index: Int, in inputs: LinkInputs) {}
}

// The limits that most definitions have, by themselves; see ``ValueLimit`` for elements of arrays and values that may be nil.

extension ConfigDefinition where Value: ConfigStorable & Comparable & Numeric {
    /// Limits numbers to a range, bounds included: `0...1`, `1...`, `...80`.
    public func limited(to range: some RangeExpression<Value>) -> ConfigDefinition { limited(by: .range(range)) }
}

extension ConfigDefinition<String> {
    /// Limits the length of texts, in Unicode scalars as JSON Schema counts: `1...80`, `1...`, `...80`.
    public func limited(toLength range: some RangeExpression<Int>) -> ConfigDefinition { limited(by: .length(range)) }

    /// Limits strings to those with a part that matches an ECMA-262 regular expression; `^` and `$` match the start and the
    /// end.
    ///
    /// - Parameter pattern: the expression; see ``ValueLimit/pattern(_:)``.
    public func matching(pattern: String) -> ConfigDefinition { limited(by: .pattern(pattern)) }
}

extension ConfigDefinition {
    /// Limits the number of an array's elements: `1...8`, `1...`, `...8`.
    public func limited<Element>(toCount range: some RangeExpression<Int>) -> ConfigDefinition
    where Value == [Element] {
        limited(by: .count(range))
    }
}

extension ConfigDefinition where Value: ConfigStorable {
    /// Limits values to these. Editors let a person choose from them.
    public func oneOf(_ options: [Value]) -> ConfigDefinition { limited(by: .options(options)) }

    /// Limits values to these, which editors show by their names: `["Slow": 1, "Fast": 100]`.
    public func oneOf(_ options: KeyValuePairs<String, Value>) -> ConfigDefinition { limited(by: .options(options)) }
}
