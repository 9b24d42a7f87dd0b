// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

extension HistoryRecord {
    /// A record that a test makes up.
    package init(
        _ key: String,
        _ value: EntryValue?,
        at revision: UInt64,
        kind: EntryKind = .value,
        by author: String? = nil,
        saying message: String? = nil,
        on time: Timestamp = Timestamp(milliseconds: 0)
    ) {
        self.init(
            revision: revision,
            key: key,
            kind: kind,
            value: value,
            author: author,
            message: message,
            updatedAt: time
        )
    }
}
