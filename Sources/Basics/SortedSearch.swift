// SPDX-License-Identifier: Apache-2.0

extension RandomAccessCollection where Index == Int {
    /// The first place, in a sorted collection, whose element is not below a wanted one; the end if all are.
    @inlinable
    package func lowerBound(isBelow: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isBelow(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
