// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// A link that ignores overrides outside a limit.
private struct LimitedLink<Value: Equatable & Sendable>: WrappingLink {
    let link: any ConfigLink<Value>
    let limit: ValueLimit<Value>

    func answer(from inputs: LinkInputs) throws(ConfigError) -> Override<Value> {
        let answer = try link.answer(from: inputs)
        if case .value(let value) = answer, let problem = limit.problem(with: value) {
            throw ConfigError(.typeMismatch, problem, key: link.remoteKey)
        }
        return answer
    }
}

/// A link that rejects values outside a limit itself.
protocol LimitingLink<Value>: ConfigLink {
    func applying(_ limit: ValueLimit<Value>) -> Self
}

extension ConfigLink {
    /// The same link, which rejects a value outside the limit like one of another type.
    func limited(by limit: ValueLimit<Value>) -> any ConfigLink<Value> {
        (self as? any LimitingLink<Value>)?.applying(limit) ?? LimitedLink(link: self, limit: limit)
    }
}
