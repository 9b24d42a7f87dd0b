// SPDX-License-Identifier: Apache-2.0

package import ConfigChanges
package import ConfigModel
package import ConfigWire

/// The operator of a source that can only be read, such as a document on a static host.
package struct ReadOnlyOperator: SourceOperator {
    package let abilities: OperatorAbilities
    private let reason: String

    /// - Parameter reason: the reason why nothing else is possible, in a sentence for the user.
    package init(_ reason: String) {
        self.reason = reason
        abilities = .none(reason)
    }

    private var refusal: ConfigError { ConfigError(.rejected, reason) }

    package func details(of key: String) async throws(ConfigError) -> KeyDetails { throw refusal }

    package func history(of key: String?, before: UInt64?, limit: Int) async throws(ConfigError) -> HistoryMessage {
        throw refusal
    }

    package func contents(at revision: UInt64?) async throws(ConfigError) -> SourceContents { throw refusal }

    package func check(_ changes: ConfigDiff, message: String?) async throws(ConfigError) -> ChangeReport {
        throw refusal
    }

    package func publish(_ changes: ConfigDiff, message: String?) async throws(ConfigError) -> PublishResult {
        throw refusal
    }

    package func rollback(
        to revision: UInt64,
        expecting expected: UInt64?,
        message: String?
    ) async throws(ConfigError) -> OperatorReceipt {
        throw refusal
    }
}
