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
            The copy is the data as of one moment, checked, in one file, which appears when it is complete.

            EXAMPLE
              livery-server backup /backups/livery-$(date +%F).sqlite \\
                --store /var/lib/livery/livery.sqlite
            """
    )

    @Argument(help: "The file for the copy.")
    var destination: String

    @OptionGroup var file: StoreFile

    func run() throws {
        let path = try file.path()
        try file.checkReplacing(destination)
        try SQLiteStore.backup(of: path, to: destination)
        Output.error.writeLine("copied \(path) to \(destination)")
    }
}

struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Replace the data with a copy, while the server is stopped.",
        discussion: """
            The restored data begin a new epoch, so that every client reads them all again. With --dry-run the copy is \
            checked as for the restore itself, and nothing is replaced.

            EXAMPLES
              livery-server restore /backups/livery.sqlite --replace --dry-run
              livery-server restore /backups/livery.sqlite --replace \\
                --store /var/lib/livery/livery.sqlite
            """
    )

    @Argument(help: "The copy.") var backup: String
    @OptionGroup var file: StoreFile
    @OptionGroup var rehearsal: RehearsalOption

    func run() throws {
        let path = try file.path()
        try file.checkReplacing(path)
        let isThere = access(path, F_OK) == 0
        let cursor = try SQLiteStore.restore(from: backup, to: path, dryRun: rehearsal.dryRun)
        if rehearsal.dryRun {
            let change = isThere ? "would replace the data in \(path)" : "would make \(path)"
            rehearsal.tell("\(change) from \(backup), which is at revision \(cursor.revision)")
        } else {
            Output.error.writeLine("restored \(path) from \(backup); it is at \(cursor) now")
        }
    }
}

/// The options of the commands that copy the file with the data.
struct StoreFile: ParsableArguments {
    @Flag(help: "Replace an existing file once the new one is complete.")
    var replace = false

    @Option(.path("store", "The SQLite file", default: "./livery.sqlite"))
    var store: Setting<String?>

    /// - Throws: a `ValidationError` that names the right tool, where the store is not a file.
    func path() throws(ValidationError) -> String {
        switch try Settings().storeAddress(store) {
        case .sqlite(let path): return path
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
        guard !replace, access(path, F_OK) == 0 else { return }
        throw ProgramFailure(.negative, "\(path) exists already; choose another file, or use --replace")
    }
}

/// Whether a command that writes only says what it would do.
struct RehearsalOption: ParsableArguments {
    @Flag(help: "Say what would change, and change nothing.")
    var dryRun = false

    /// Says what a command would do.
    func tell(_ change: String) { Output.error.writeLine("\(change); nothing is written yet") }
}
