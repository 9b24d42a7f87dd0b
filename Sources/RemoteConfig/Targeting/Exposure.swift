// SPDX-License-Identifier: Apache-2.0

public import ConfigRules

/// A read of a key with a rule: the variant that the program read, and the user it was read for.
public struct Exposure: Hashable, Sendable {
    /// The key.
    public let key: String
    /// The name of the variant; `nil` if the rule selected none, so that the default value counts.
    public let variant: String?
    /// The reason for the variant.
    public let reason: EvaluationReason
    /// The revision of the configuration at the first read of the rule: the server's, so that the last change of the rule up to
    /// this revision is the rule that was evaluated (`livery history --rule KEY`); for a source without revisions, the number
    /// of the state in this process (`EntrySnapshot.revision`).
    public let revision: UInt64
    /// The targeting key of the context, which identifies the user.
    public let targetingKey: String?
}
