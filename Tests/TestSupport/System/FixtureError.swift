// SPDX-License-Identifier: Apache-2.0

/// A fixture that could not be set up, or does not do what the test needs it for.
package struct FixtureError: Error, CustomStringConvertible {
    package let description: String

    /// - Parameter description: what happened, in the words of the program that failed.
    package init(_ description: String) {
        self.description = description
    }
}
