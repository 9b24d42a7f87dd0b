// SPDX-License-Identifier: Apache-2.0

public import Observing

/// A value that may be changed while the program runs, on the screen of tweaks.
///
/// ```swift
/// let speed = TweakDefinition(
///     "demo.speed", category: "Motion", section: "Frames", name: "Speed",
///     initial: 0.5, editor: .slider(range: 0...1)
/// )
/// let tweaks = TweakRepository()
/// tweaks.add(speed)
/// print(tweaks[speed])
/// ```
public struct TweakDefinition<Value: Equatable & Sendable>: Sendable, Identifiable {
    /// The tweak's name, the same at every launch.
    public let id: String
    /// Where it stands.
    public let place: TweakPlace
    /// What the row says.
    public let name: String
    /// How it is edited.
    public internal(set) var editor: TweakEditor
    /// How values are stored.
    public internal(set) var converter: ValueConverter<Value>
    /// What is sent when the initial value may have changed.
    public internal(set) var initialChanges: [ChangeSignal]
    let address: TweakAddress
    /// The initial value in a snapshot, or now.
    var initial: @Sendable (_ snapshot: ConfigSources?) -> Value

    /// Where its override is kept.
    public var storage: TweakStorage { address.storage }

    /// The value without an override, at this moment: it is asked for anew each time, never kept.
    public var initialValue: Value { initial(nil) }

    /// Creates a tweak, under an id that no other tweak has and that never changes.
    ///
    /// - Parameters:
    ///   - id: its name, the same at every launch.
    ///   - category: the list that it stands in.
    ///   - section: the part of that list.
    ///   - name: what its row says.
    ///   - editor: how it is edited.
    ///   - storage: where its override is kept.
    ///   - converter: how its values are stored.
    ///   - initialChanges: what is sent when the initial value may have changed.
    ///   - initial: the value without an override.
    public init(
        _ id: String,
        category: String,
        section: String,
        name: String,
        editor: TweakEditor,
        storage: TweakStorage = .persistent,
        converter: ValueConverter<Value>,
        initialChanges: [ChangeSignal] = [],
        initial: @escaping @Sendable () -> Value
    ) {
        self.id = id
        place = TweakPlace(category: category, section: section)
        self.name = name
        self.editor = editor
        address = TweakAddress(id, storage)
        self.converter = converter
        self.initialChanges = initialChanges
        self.initial = { _ in initial() }
    }
}

extension TweakDefinition where Value: ConfigStorable {
    /// Creates a tweak of a type that has an editor, with a fixed initial value.
    public init(
        _ id: String,
        category: String,
        section: String,
        name: String,
        initial: Value,
        editor: TweakEditor = Value.tweakEditor,
        storage: TweakStorage = .persistent
    ) {
        self.init(
            id,
            category: category,
            section: section,
            name: name,
            editor: editor,
            storage: storage,
            converter: Value.configConverter
        ) { initial }
    }
}

/// Where the override of a tweak is kept.
public enum TweakStorage: Hashable, Sendable {
    /// In memory: it is gone when the program ends.
    case memory
    /// In the repository's persistent store, under a namespace, so that programs that share a store do not share tweaks.
    case persistent(namespace: String)

    /// In the persistent store, under the namespace `default`.
    public static let persistent = TweakStorage.persistent(namespace: "default")
}

/// A tweak's store and its key there, put together once instead of at each reading.
struct TweakAddress: Hashable, Sendable {
    let storage: TweakStorage
    let key: String

    init(_ id: String, _ storage: TweakStorage) {
        self.storage = storage
        switch storage {
        case .memory: key = id
        case .persistent(let namespace): key = namespace + "/" + id
        }
    }
}
