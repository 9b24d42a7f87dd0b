// SPDX-License-Identifier: Apache-2.0

/// The operator of a source that can only be read, such as a document on a static host.
package struct ReadOnlyOperator: SourceOperator {
    package let abilities: OperatorAbilities

    /// - Parameter reason: the reason why nothing else is possible, in a sentence for the user.
    package init(_ reason: String) { abilities = .none(reason) }
}
