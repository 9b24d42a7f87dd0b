// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
internal import ConfigRules
package import Configuration

/// The inputs in which the links of definitions find their values, the same for all definitions of a program.
package struct LinkInputs: Sendable {
    /// The source for ``ConfigDefinition/remote(_:in:)``.
    package var remote: ObservedReader?
    /// The source for ``ConfigDefinition/environment(_:in:)``.
    package var environment: ObservedReader?
    /// The store for ``ConfigDefinition/stored(key:in:)``.
    package var store: (any KeyValueStore)?
    /// The repository for ``ConfigDefinition/tweak(category:section:name:editor:namespace:)``.
    package var tweaks: TweakRepository?
    /// The facts that conditions are evaluated on.
    package var surroundings: Surroundings
    /// The readings so far, in a snapshot; `nil` elsewhere.
    private var readings: SourceReadings?

    /// Creates inputs; a link whose source is missing has no override.
    package init(
        remote: ObservedReader? = nil,
        environment: ObservedReader? = nil,
        store: (any KeyValueStore)? = nil,
        tweaks: TweakRepository? = nil,
        surroundings: Surroundings = Surroundings()
    ) {
        self.remote = remote
        self.environment = environment
        self.store = store
        self.tweaks = tweaks
        self.surroundings = surroundings
    }
}

extension LinkInputs {
    /// The same inputs as of now: all that is evaluated from them finds the values of this moment.
    ///
    /// A source that only a link names (`.stored(key:in:)`) has the values of the moment when it is first read.
    package func snapshot() -> LinkInputs {
        let snapshot = readingOnce()
        for source in [remote, environment] { if let source { _ = snapshot.reader(of: source) } }
        for store in [store, tweaks?.persistentStore, tweaks?.memoryStore] {
            if let store { _ = snapshot.readings?.values(of: store) }
        }
        return snapshot
    }

    /// The same inputs, each of which is read at one moment, when it is first needed.
    func readingOnce() -> LinkInputs {
        if readings != nil { return self }
        var inputs = self
        inputs.surroundings = surroundings.snapshot()
        inputs.readings = SourceReadings()
        return inputs
    }

    /// The values of a reader, in a snapshot those of its moment: for links of an app's own.
    package func reader(of source: ObservedReader) -> ConfigSnapshotReader {
        readings?.reader(of: source) ?? source.reader.snapshot()
    }

    /// The members of the evaluation context: that of the task, else that of the remote configuration.
    var context: EntryObject {
        if let ofTask = EvaluationContext.current { return ofTask.members }
        guard let remote else { return EntryObject() }
        let text = JSONRequest.with(JSONRequest(.context)) {
            reader(of: remote).string(forKey: ConfigKey([JSONRequest.contextKey]))
        }
        guard let text, case .object(let members)? = JSONRequest.values(of: text).first else { return EntryObject() }
        return members
    }

    /// The value of a key of a store, in a snapshot that of its moment.
    package func value(forKey key: String, in store: any KeyValueStore) -> EntryValue? {
        guard let readings else { return store.value(forKey: key) }
        return readings.values(of: store)(key)
    }

    /// The text of a key.
    func text(at key: DottedKey, in source: ObservedReader) -> String? {
        readings.map { $0.reader(of: source).string(forKey: key.ofReader) }
            ?? source.reader.string(forKey: key.ofReader)
    }

    /// The value of a key, of the first of these kinds that has one.
    func json(at key: DottedKey, as kinds: [ReaderKind], in source: ObservedReader) -> EntryValue? {
        guard let readings, !source.isConstant else { return source.json(at: key, as: kinds) }
        return source.json(at: key, as: kinds, from: readings.reader(of: source))
    }
}

/// The source that a link reads: links that may read the same one are evaluated from one snapshot.
enum LinkPlace: Hashable {
    /// No source.
    case nothing
    case remote
    case environment
    /// The store of the inputs, or that of the tweaks, which may be the same.
    case values
    case surroundings
    /// A reader or a store that the link names.
    case own(ObjectIdentifier)
    /// Any source, as a link of an app's own may read.
    case unknown

    func canEqual(as other: LinkPlace) -> Bool {
        switch (self, other) {
        case (.nothing, _), (_, .nothing): false
        case (.unknown, _), (_, .unknown): true
        case (.own, .own): self == other
        case (.own, .surroundings), (.surroundings, .own): false
        case (.own, _), (_, .own): true
        default: self == other
        }
    }
}

/// The values of the inputs at one moment.
private final class SourceReadings: Sendable {
    private let readers = ReadOnce<Identity, ConfigSnapshotReader>()
    private let stores = ReadOnce<Identity, @Sendable (String) -> EntryValue?>()

    func reader(of source: ObservedReader) -> ConfigSnapshotReader {
        readers.value(of: Identity(source)) { source.reader.snapshot() }
    }

    func values(of store: any KeyValueStore) -> @Sendable (String) -> EntryValue? {
        stores.value(of: Identity(store)) { store.snapshot() }
    }
}
