import Testing

@testable import TerminalUI

struct RecentCacheTests {
    @Test func whatWasAddedIsFound() {
        var cache = RecentCache<Int, String>(capacity: 4)
        cache.insert("one", for: 1)
        #expect(cache.value(for: 1) == "one")
        #expect(cache.value(for: 2) == nil)
    }

    @Test(arguments: [2, 3, 10, 1024])
    func neverHoldsMoreThanItsCapacity(capacity: Int) {
        var cache = RecentCache<Int, Int>(capacity: capacity)
        var most = 0
        for key in 0..<5000 {
            cache.insert(key, for: key)
            _ = cache.value(for: key - capacity / 3)
            most = max(most, cache.count)
        }
        #expect(most <= capacity)
        #expect(cache.value(for: 4999) == 4999)
    }

    @Test func whatIsInUseSurvives() {
        var cache = RecentCache<Int, Int>(capacity: 8)
        cache.insert(-1, for: -1)
        for key in 0..<100 {
            cache.insert(key, for: key)
            #expect(cache.value(for: -1) == -1)
        }
        #expect(cache.value(for: 0) == nil)
    }
}
