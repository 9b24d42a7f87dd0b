/// A bounded cache that forgets what has not been used for longest, roughly.
///
/// It keeps two generations. What is found or added goes into the young one; once that is full it becomes the old
/// one, and what the old one held is forgotten. So what is in use survives, at the cost of two look-ups at most.
struct RecentCache<Key: Hashable, Value> {
    private let generationLimit: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    /// Creates an empty cache that never holds more than `capacity` values (2 or more).
    init(capacity: Int) {
        generationLimit = max(1, capacity / 2)
    }

    /// How many values are held.
    var count: Int { young.count + old.count }

    /// The value of a key if it is still known; it then counts as used.
    mutating func value(for key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old.removeValue(forKey: key) else { return nil }
        insert(value, for: key)
        return value
    }

    /// Remembers a value.
    mutating func insert(_ value: Value, for key: Key) {
        if young.count >= generationLimit {
            old = young
            young = [:]
        }
        young[key] = value
    }
}
