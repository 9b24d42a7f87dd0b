// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Observing

/// A link that forwards the other requirements to another link.
protocol WrappingLink<Value>: ConfigLink {
    var link: any ConfigLink<Value> { get }
}

extension WrappingLink {
    var name: String { link.name }

    var remoteKey: String? { link.remoteKey }

    func problem(in inputs: LinkInputs) -> ConfigError? { link.problem(in: inputs) }

    func origin(in inputs: LinkInputs) -> String? { link.origin(in: inputs) }

    func changes(in inputs: LinkInputs) -> [ChangeSignal] { link.changes(in: inputs) }

    func context(in inputs: LinkInputs) -> (text: String, changes: ChangeSignal)? {
        link.context(in: inputs)
    }

    func join(_ definition: ConfigDefinition<Value>, at index: Int, in inputs: LinkInputs) {
        link.join(definition, at: index, in: inputs)
    }
}

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

extension ConfigLink {
    package func limited(by limit: ValueLimit<Value>) -> any ConfigLink<Value> { LimitedLink(link: self, limit: limit) }
}
