// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigModel
import ConfigStore
import Files
import Foundation
import Programs
import SQLiteStore

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy the data to a file, even while the server runs.",
        discussion: """
            The copy is the data as of one moment, checked, in one file, which appears when it is complete. \
            The date of the file STORE.last-backup becomes that of the backup, which the server shows as the metric \
            livery_backup_last_success_timestamp_seconds. \
            The store of the Debian package is /var/lib/livery/livery.sqlite.

            EXAMPLE
              livery-server backup /backups/livery-$(date +%F).sqlite \\
                --store /var/lib/livery/livery.sqlite
            """
    )

    @Argument(help: "The file for the copy.", completion: .file())
    var destination: String

    @OptionGroup var file: StoreFile

    func run() throws {
        let path = try file.path()
        try file.checkReplacing(destination)
        try SQLiteEntryStore.backup(of: path, to: destination)
        Output.error.writeLine("copied \(path) to \(destination)")
        do throws(StoreError) {
            try SQLiteEntryStore.recordBackup(of: path)
        } catch {
            Output.error.writeLine("warning: \(error); the metric of the last backup is out of date")
        }
    }
}

struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Replace the data with a copy, while the server is stopped.",
        discussion: """
            Accepts only files that 'livery-server backup' has written and nothing has changed since. \
            The restored data begin a new epoch, so that every client reads them all again. The data that were replaced \
            stay next to the store, in a file whose name ends with .before-restore, until the next restore. With --dry-run \
            the copy is checked as for the restore itself, and nothing is replaced.

            EXAMPLES
              livery-server restore /backups/livery.sqlite --replace --dry-run \\
                --store /var/lib/livery/livery.sqlite
              livery-server restore /backups/livery.sqlite --replace \\
                --store /var/lib/livery/livery.sqlite
            """
    )

    @Argument(help: "The copy.", completion: .file()) var backup: String
    @OptionGroup var file: StoreFile
    @OptionGroup var rehearsal: RehearsalOption

    func run() throws {
        let path = try file.path()
        try file.checkReplacing(path)
        let restored: SQLiteEntryStore.Restored
        do throws(StoreError) {
            restored = try SQLiteEntryStore.restore(from: backup, to: path, dryRun: rehearsal.dryRun)
        } catch {
            guard error.reason == .inUse else { throw error }
            let advice = "on a packaged installation: sudo systemctl stop livery-server"
            throw ProgramFailure(.negative, "\(error); \(advice)")
        }
        if rehearsal.dryRun {
            let change = restored.formerData == nil ? "would create \(path)" : "would replace the data in \(path)"
            return rehearsal.tell("\(change) from \(backup), which is at revision \(restored.head.revision)")
        }
        Output.error.writeLine("restored \(path) from \(backup); it is at \(restored.head) now")
        if let former = restored.formerData {
            Output.error.writeLine("the former data are in \(former), until the next restore replaces them")
        }
    }
}

/// The options of the commands that copy the file with the data.
struct StoreFile: ParsableArguments {
    @Flag(help: "Replace an existing file once the new one is complete.")
    var replace = false

    @Option(.path("store", "The SQLite file", default: "./livery.sqlite"))
    var store: Setting<String?>

    /// - Throws: a `ValidationError` that names the right tool, where the store is not a file, or the store's usual place,
    ///   where none is named and there is none in the current folder.
    func path() throws(ValidationError) -> String {
        let settings = Settings()
        switch try settings.storeAddress(store) {
        case .sqlite(let path):
            if settings.has(store) || FileState(path: path) != nil { return path }
            throw ValidationError(
                """
                There is no \(path) in this folder; name the store, such as --store /var/lib/livery/livery.sqlite, which is \
                that of the Debian package.
                """
            )
        case .mariaDB:
            throw ValidationError(
                """
                This command copies SQLite files; use 'mariadb-dump --single-transaction --routines --triggers' for a \
                store in MariaDB.
                """
            )
        case .etcd:
            throw ValidationError("This command copies SQLite files; use 'etcdctl snapshot save' for a store in etcd.")
        }
    }

    func checkReplacing(_ path: String) throws(ProgramFailure) {
        guard !replace, FileState(path: path) != nil else { return }
        throw ProgramFailure(.negative, "\(path) exists already; choose another file, or use --replace")
    }
}

/// Whether a command only reports the change that it would make.
struct RehearsalOption: ParsableArguments {
    @Flag(help: "Say what would change, and change nothing.")
    var dryRun = false

    /// Reports the change that a command would make.
    func tell(_ change: String) { Output.error.writeLine("\(change); nothing is written yet") }
}
