// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// Several sources in layers: for each key, the first source that has it counts.
///
/// ```swift
/// let source = LayeredSource([
///     FileSource(path: "/etc/app/override.json"),
///     try ServerSource(url: url),
/// ])
/// let defaults = try ConfigDocument(contentsOf: Bundle.main.url(forResource: "defaults", withExtension: "json"))
/// let service = RemoteConfigService(source: source, cache: cache, bundledDefault: defaults)
/// ```
///
/// The first layer is the topmost, as the first provider of a `ConfigReader` is. A key is there if any layer has it, so
/// that a layer can replace a value of those below but not take it away. Objects are merged member by member, at any depth,
/// whichever layer writes the object as one value and whichever by keys; so they are over bundled defaults. A value that
/// cannot be read as the type that the program asks for counts as missing in its layer: the next layer below serves it. A
/// rule refers to the shared evaluators of the layer that has it. Each entry keeps the name of its layer
/// (`ConfigEntry.source`) and its place there.
///
/// Each layer is followed independently: a file is watched, a document is polled, a server streams. Changes of several layers
/// at once form one change. A slow layer delays nothing: the values of the others are used in the meantime. A layer that fails
/// keeps its last good values, and the status has the problem of the topmost such layer (``SourceReading/problem``). The status
/// is `streaming` while every layer is.
///
/// The settings of the service of this source apply to each layer: in its cache, each keeps its last good values in a
/// separate file and starts with them; each uses its policy, logger, metrics and tracer. The service's own statistics
/// count the merges of the layers, and the metrics distinguish the layers by `source`. Each service follows the layers
/// separately.
public struct LayeredSource: ConfigSource {
    /// The names of the layers, with `over` in between, unless it was given another one.
    public let name: String
    /// The identities of the layers, in their order.
    public let identity: String
    /// By hints, for any layers.
    public let delivery = SourceDelivery.watched
    /// The layers, the topmost first.
    public let layers: [any ConfigSource]

    /// Creates a source. The layers are followed while the service of this source runs.
    ///
    /// - Parameters:
    ///   - layers: the topmost first.
    ///   - name: what to call the whole; the default is made of the names of the layers.
    public init(_ layers: [any ConfigSource], name: String? = nil) {
        self.name = name ?? layers.map(\.name).joined(separator: " over ")
        identity = (["layers"] + layers.map(\.identity)).joined(separator: "\n")
        self.layers = layers
    }

    /// Reads nothing: a service reads the layers.
    ///
    /// - Throws: `invalidSource`, unless there are no layers.
    public func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        if layers.isEmpty { return SourceReading(.entries(ConfigEntries())) }
        let message =
            "layers are read by the service; a source that wraps them must return them as its 'wrapped' source"
        throw ConfigError(.invalidSource, message, source: name)
    }
}

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
