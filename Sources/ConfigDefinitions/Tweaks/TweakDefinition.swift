// SPDX-License-Identifier: Apache-2.0

internal import Observing

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
    /// The category, which has its own page.
    public let category: String
    /// The section of the page.
    public let section: String
    /// The label of the row.
    public let name: String
    /// The editor of the tweak.
    public internal(set) var editor: TweakEditor
    /// The converter of stored values.
    public internal(set) var converter: ValueConverter<Value>
    /// The signals that announce a possible change of the initial value.
    var initialChanges: [ChangeSignal]
    let address: TweakAddress
    /// The initial value in a snapshot, or now.
    var initial: @Sendable (_ snapshot: LinkInputs?) -> Value

    /// The namespace of the override in the persistent store; `nil` if it is in memory.
    public var namespace: String? { address.namespace }

    /// The current value without an override. It is evaluated at each read and never cached.
    public var initialValue: Value { initial(nil) }

    /// Creates a tweak, under an id that no other tweak has and that never changes.
    ///
    /// - Parameters:
    ///   - id: its name, the same at every launch.
    ///   - category: the list that contains the tweak.
    ///   - section: the part of that list.
    ///   - name: the label of its row.
    ///   - editor: how it is edited.
    ///   - namespace: where its override is kept in the repository's persistent store, so that programs that share a store do
    ///     not share tweaks; `nil` keeps it in memory, until the program ends.
    ///   - converter: how its values are stored.
    ///   - initialChanges: observes possible changes of the initial value.
    ///   - initial: the value without an override.
    public init(
        _ id: String,
        category: String,
        section: String,
        name: String,
        editor: TweakEditor,
        namespace: String? = "default",
        converter: ValueConverter<Value>,
        initialChanges: ChangeObservation? = nil,
        initial: @escaping @Sendable () -> Value
    ) {
        self.id = id
        self.category = category
        self.section = section
        self.name = name
        self.editor = editor
        address = TweakAddress(id, in: namespace)
        self.converter = converter
        self.initialChanges = initialChanges.map { [ChangeSignal(watching: $0)] } ?? []
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
        namespace: String? = "default"
    ) {
        self.init(
            id,
            category: category,
            section: section,
            name: name,
            editor: editor,
            namespace: namespace,
            converter: Value.configConverter
        ) { initial }
    }
}

/// A tweak's store and its key there, put together once instead of at each reading.
struct TweakAddress: Hashable, Sendable {
    /// The namespace in the repository's persistent store; `nil` for its store in memory.
    let namespace: String?
    let key: String

    init(_ id: String, in namespace: String?) {
        self.namespace = namespace
        key = namespace.map { $0 + "/" + id } ?? id
    }
}
