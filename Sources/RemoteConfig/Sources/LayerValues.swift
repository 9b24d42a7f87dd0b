// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The contents of a layer without layers: values before their rules, and rules by their `EntryKind`.
struct LayerValues: Sendable {
    let held: ConfigEntries
    let dependsOnContext: Bool
    let origin: ValueOrigin
    let modifiedAt: Timestamp?

    /// Whether they are the layer's own in the current context: its answer, or values that are the same in each context.
    var isOfContext: Bool { origin == .source || !dependsOnContext }
}

extension [LayerValues] {
    /// The origin of the values together.
    var origin: ValueOrigin {
        let origins = map(\.origin)
        return [.source, .cache, .bundledDefault].first(where: origins.contains) ?? .nothing
    }

    /// The time of the newest values, as far as the layers report it.
    var modifiedAt: Timestamp? { compactMap(\.modifiedAt).max() }

    /// The same layers in another context: layers that do not depend on it keep their values.
    ///
    /// - Parameter others: The values of the layers in that context.
    func replacingDependent(by others: [LayerValues]) -> [LayerValues] {
        zip(self, others).map { $0.dependsOnContext ? $1 : $0 }
    }
}

extension ConfigEntries {
    /// The merged contents of the layers.
    ///
    /// - Parameter layers: the topmost first.
    init(layers: [LayerValues]) {
        self = layers.reversed().reduce(ConfigEntries()) { below, layer in layer.held.covering(below) }
    }
}
