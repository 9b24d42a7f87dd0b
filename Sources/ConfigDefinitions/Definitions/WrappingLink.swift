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
