// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Observing

/// A link around another one, which it is like in all that it does not do itself.
protocol WrappingLink<Value>: ConfigLink {
    var link: any ConfigLink<Value> { get }
}

extension WrappingLink {
    var name: String { link.name }

    var remoteKey: String? { link.remoteKey }

    func problem(in sources: ConfigSources) -> ConfigError? { link.problem(in: sources) }

    func origin(in sources: ConfigSources) -> String? { link.origin(in: sources) }

    func changes(in sources: ConfigSources) -> [ChangeSignal] { link.changes(in: sources) }

    func context(in sources: ConfigSources) -> LinkContext? { link.context(in: sources) }

    func join(_ definition: ConfigDefinition<Value>, at index: Int, in sources: ConfigSources) {
        link.join(definition, at: index, in: sources)
    }
}

/// A link whose overrides outside a limit are none.
private struct LimitedLink<Value: Equatable & Sendable>: WrappingLink {
    let link: any ConfigLink<Value>
    let limit: ValueLimit<Value>

    func answer(from sources: ConfigSources) throws(ConfigError) -> Override<Value> {
        let answer = try link.answer(from: sources)
        if case .value(let value) = answer, let problem = limit.problem(with: value) {
            throw ConfigError(.typeMismatch, problem, key: link.remoteKey)
        }
        return answer
    }
}

extension ConfigLink {
    /// The same link, where a value outside the limit is wrong as one of another type is.
    func limited(by limit: ValueLimit<Value>) -> any ConfigLink<Value> {
        // What is outside must not be remembered as good.
        if let link = self as? LastGoodLink<Value> { return link.limited(by: limit) }
        return LimitedLink(link: self, limit: limit)
    }
}
