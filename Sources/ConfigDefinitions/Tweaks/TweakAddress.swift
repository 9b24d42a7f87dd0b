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
