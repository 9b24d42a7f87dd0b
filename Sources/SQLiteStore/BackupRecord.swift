// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Files

/// The file next to a store whose date is that of the last backup: `livery.sqlite.last-backup`.
///
/// It is empty, so that other tools can record their backups by `touch`, and the server needs no right to read it.
struct BackupRecord {
    let path: String

    init(ofStore store: String) { path = store.resolvingLinks() + ".last-backup" }

    /// `nil` without a backup.
    var date: Timestamp? { FileState(path: path).map { Timestamp(milliseconds: $0.modified / 1_000_000) } }

    /// A link is not followed: root may run the backup, and the folder is another user's.
    func write() throws(StoreError) {
        do throws(FileError) {
            try SystemDisk().touch(path)
        } catch {
            let message = "cannot record the time of the backup in '\(path)', which must be a regular file"
            throw StoreError(.unavailable, "\(message): \(error.reason)", underlying: error)
        }
    }
}
