// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import ConfigChanges

struct ConfigDiffTests {
    /// Three changes, of which the middle one is given.
    private func diff(_ value: EntryValue) -> ConfigDiff {
        let values: [(key: String, value: EntryValue)] = [("a", 1), ("b", value), ("c", 1)]
        return ConfigDiff(values.map { KeyChange(key: $0.key, old: nil, new: $0.value) })
    }

    @Test func diffsWithOneBeginningAndEndAreDistinct() {
        let numbers = [diff(1): "one", diff(2): "two"]
        #expect(numbers[diff(1)] == "one" && numbers[diff(2)] == "two" && numbers[diff(3)] == nil)
    }
}
