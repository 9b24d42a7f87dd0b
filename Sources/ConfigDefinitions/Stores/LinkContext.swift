// SPDX-License-Identifier: Apache-2.0

public import Observing

/// The evaluation context, such as the user, that the override of a link depends on.
public struct LinkContext: Sendable {
    /// A text that is another after each change of the context, also of one to a former context.
    public let text: String
    /// The signal that is sent after the context may have changed.
    public let changes: ChangeSignal

    /// Describes a context.
    public init(_ text: String, changes: ChangeSignal) { (self.text, self.changes) = (text, changes) }
}
