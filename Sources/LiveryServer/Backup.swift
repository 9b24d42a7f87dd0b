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
        abstract: "Back up the store to a file; the server may be running.",
        discussion: """
            The backup is a verified, consistent snapshot in one file, which appears once it is complete. The command \
            updates the time of the file STORE.last-backup, which the server exports as the metric \
            livery_backup_last_success_timestamp_seconds. The Debian package keeps its store in \
            /var/lib/livery/livery.sqlite.

            EXAMPLE
              livery-server backup /var/backups/livery/livery-$(date +%F).sqlite \\
                --store /var/lib/livery/livery.sqlite
            """
    )

    @Argument(help: "The backup file to create.", completion: .file())
    var destination: String

    @OptionGroup var file: StoreFile

    func run() throws {
        let path = try file.path()
        try file.checkReplacing(destination)
        try SQLiteEntryStore.backup(of: path, to: destination)
        Output.error.writeLine("backed up \(path) to \(destination)")
        do throws(StoreError) {
            try SQLiteEntryStore.recordBackup(of: path)
        } catch {
            Output.error.writeLine(
                "warning: \(error); the metric livery_backup_last_success_timestamp_seconds was not updated"
            )
        }
    }
}

struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Restore the store from a backup; the server must be stopped.",
        discussion: """
            Accepts only unmodified files written by 'livery-server backup'. The restored data start a new epoch, so \
            that all clients fetch everything again. The replaced data are kept next to the store, in a file whose \
            name ends in .before-restore, until the next restore. --dry-run verifies the backup and replaces nothing.

            EXAMPLES
              livery-server restore /var/backups/livery/livery.sqlite --replace --dry-run \\
                --store /var/lib/livery/livery.sqlite
              livery-server restore /var/backups/livery/livery.sqlite --replace \\
                --store /var/lib/livery/livery.sqlite
            """
    )

    @Argument(help: "The backup file.", completion: .file()) var backup: String
    @OptionGroup var file: StoreFile
    @OptionGroup var dryRunOption: DryRunOption

    func run() throws {
        let path = try file.path()
        try file.checkReplacing(path)
        let restored: SQLiteEntryStore.Restored
        do throws(StoreError) {
            restored = try SQLiteEntryStore.restore(from: backup, to: path, dryRun: dryRunOption.dryRun)
        } catch {
            guard error.reason == .inUse else { throw error }
            let advice = "with the Debian package, run: sudo systemctl stop livery-server"
            throw ProgramFailure(.negative, "\(error); \(advice)")
        }
        if dryRunOption.dryRun {
            let change = restored.formerData == nil ? "would create \(path)" : "would replace the data in \(path)"
            return dryRunOption.report("\(change) from \(backup) at revision \(restored.head.revision)")
        }
        Output.error.writeLine("restored \(path) from \(backup) at \(restored.head)")
        if let former = restored.formerData {
            Output.error.writeLine("the previous data are in \(former) until the next restore")
        }
    }
}

/// The options of the commands that copy the file with the data.
struct StoreFile: ParsableArguments {
    @Flag(help: "Replace an existing file once the new one is complete.")
    var replace = false

    @Option(.path("store", "The path of the SQLite store", default: "./livery.sqlite"))
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
                Store \(path) not found; pass --store, with the Debian package --store /var/lib/livery/livery.sqlite.
                """
            )
        case .mariaDB:
            throw ValidationError(
                """
                This command supports only SQLite; for MariaDB, use 'mariadb-dump --single-transaction --routines \
                --triggers'.
                """
            )
        case .etcd:
            throw ValidationError("This command supports only SQLite; for etcd, use 'etcdctl snapshot save'.")
        }
    }

    func checkReplacing(_ path: String) throws(ProgramFailure) {
        guard !replace, FileState(path: path) != nil else { return }
        throw ProgramFailure(.negative, "\(path) already exists; choose another file, or use --replace")
    }
}

/// Whether a command only reports the change that it would make.
struct DryRunOption: ParsableArguments {
    @Flag(help: "Show the changes without making them.")
    var dryRun = false

    /// Reports the change that a command would make.
    func report(_ change: String) { Output.error.writeLine("\(change); dry run, nothing was written") }
}
