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

    func problem(in sources: ConfigSources) -> ConfigError? { link.problem(in: sources) }

    func origin(in sources: ConfigSources) -> String? { link.origin(in: sources) }

    func changes(in sources: ConfigSources) -> [ChangeSignal] { link.changes(in: sources) }

    func context(in sources: ConfigSources) -> LinkContext? { link.context(in: sources) }

    func join(_ definition: ConfigDefinition<Value>, at index: Int, in sources: ConfigSources) {
        link.join(definition, at: index, in: sources)
    }
}
