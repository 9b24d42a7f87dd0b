// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigWire

/// The step of a client after an event of a server's stream.
package enum StreamStep: Hashable {
    case nothing
    /// Read the changes.
    case read
    /// Read the whole state.
    case readWhole(of: Epoch)
    /// Apply changes that begin at the client's revision.
    case apply(Changeset, Epoch)

    /// - Parameter own: The mark of the client's state.
    package init(after event: StreamEvent, at own: (cursor: RevisionCursor?, digest: ConfigDigest?)) {
        switch event {
        case .hello(let cursor, let digest, _), .head(let cursor, let digest, _):
            // The server is at another position, or has other contents at this revision.
            guard own.cursor == cursor else {
                self = .read
                return
            }
            self = own.digest == digest ? .nothing : .readWhole(of: cursor.epoch)
        case .reset(let cursor, let digest, _):
            // The hello before it may have caused the read that a reset requires.
            self = cursor == own.cursor && digest == own.digest ? .nothing : .readWhole(of: cursor.epoch)
        case .change(let changes, let epoch):
            guard let known = own.cursor, known.epoch == epoch else {
                self = .read
                return
            }
            // A stream may begin before the state that a read has returned in the meantime.
            let isKnown =
                changes.to < known.revision || (changes.to == known.revision && changes.digest == own.digest)
            self = isKnown ? .nothing : changes.from == known.revision ? .apply(changes, epoch) : .read
        }
    }
}
