// SPDX-License-Identifier: Apache-2.0

/// A limit that an evaluation has exceeded.
enum ExceededLimit: Error {
    /// The number of steps.
    case steps
    /// The size of the arrays, objects and texts that it builds.
    case bytes
    /// The depth of a value that it builds.
    case depth
}
