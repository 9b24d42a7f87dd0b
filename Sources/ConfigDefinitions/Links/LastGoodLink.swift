internal import ConfigModel
internal import Synchronization

/// Overrides with the last good value of a link for as long as what that link finds now cannot be used.
final class LastGoodLink<Value: Equatable & Sendable>: ConfigLink {
    let name = "last good value"
    private let link: any ConfigLink<Value>
    private let memory = Mutex<Value?>(nil)

    init(of link: any ConfigLink<Value>) { self.link = link }

    func answer(from sources: ConfigSources) -> Override<Value> {
        do throws(ConfigError) {
            let answer = try link.answer(from: sources)
            if case .none = answer, link.problem(in: sources) != nil { return remembered }
            // The link itself says what it has found, so that an explanation names it.
            memory.withLock { memory in
                if case .value(let value) = answer { memory = value } else { memory = nil }
            }
            return .none
        } catch {
            return remembered
        }
    }

    private var remembered: Override<Value> { Override(memory.withLock(\.self)) }
}

extension ConfigDefinition {
    /// Keeps the last good value of the link that was added before this one, while what that link finds cannot be used.
    ///
    /// ```swift
    /// let color = ConfigDefinition("app.background.color", default: RGBColor.black)
    ///     .remote("app.background.color")
    ///     .lastGood()
    /// ```
    ///
    /// Someone publishes `"app.background.color": "bleu"`: without this link the colour falls back to the default, with it
    /// the colour stays as it was. A key that is removed has no last good value. Values are remembered when they are read,
    /// as a ``ConfigRepository`` does after each change, and until the program ends.
    ///
    /// The memory belongs to the definition and its copies: use them with one ``ConfigSources``.
    public func lastGood() -> ConfigDefinition {
        guard let link = links.last else { return self }
        return self.link(LastGoodLink(of: link))
    }
}
