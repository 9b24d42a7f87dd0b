// SPDX-License-Identifier: Apache-2.0

/// What the reader of a string wants, for a provider: swift-configuration has no type for objects.
package enum BranchReading {
    /// Whether the string may be the JSON of an object that the keys below the key make up.
    @TaskLocal package static var isWanted = false
}
