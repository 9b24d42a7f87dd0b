// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The contents of a layer of a source.
package struct LayerValues: Hashable, Sendable {
    let layer: EntryLayer
    let origin: ValueOrigin
    let modifiedAt: Timestamp?
}

extension [LayerValues] {
    /// The origin of the values together.
    var origin: ValueOrigin {
        let origins = map(\.origin)
        return [.source, .cache, .bundledDefault].first(where: origins.contains) ?? .nothing
    }

    /// The layers in another context: layers that do not depend on it keep the shown values.
    func keepingShown(_ shown: some Sequence<EntryLayer>) -> [LayerValues] {
        zip(self, shown).map { values, shown in
            values.layer.dependsOnContext
                ? values : LayerValues(layer: shown, origin: values.origin, modifiedAt: values.modifiedAt)
        }
    }

    /// The time of the newest values, as far as the layers report it.
    var modifiedAt: Timestamp? { compactMap(\.modifiedAt).max() }
}
