import ArgumentParser
import ConfigModel
import Files
import Foundation
import SQLiteStore

/// `livery-server backup FILE`.
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

    @Flag(help: "Replace an existing file once the new copy is complete.")
    var replace = false

    @OptionGroup var file: StoreFile

    func run() throws {
        let path = try file.path(Settings())
        try Overwriting.check(destination, isMeant: replace)
        try SQLiteStore.backup(of: path, to: destination)
        Output.error.writeLine("copied \(path) to \(destination)")
    }
}

/// `livery-server restore FILE`.
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Replace the data with a copy, while the server is stopped.",
        discussion: """
            The restored data begin a new epoch, so that every client reads them all again.

            EXAMPLE
              livery-server restore /backups/livery.sqlite --replace \\
                --store /var/lib/livery/livery.sqlite
            """
    )

    @Argument(help: "The copy.")
    var backup: String

    @Flag(help: "Replace existing data.")
    var replace = false

    @OptionGroup var file: StoreFile

    func run() throws {
        let path = try file.path(Settings())
        try Overwriting.check(path, isMeant: replace)
        let cursor = try SQLiteStore.restore(from: backup, to: path)
        Output.error.writeLine("restored \(path) from \(backup); it is at \(cursor) now")
    }
}

/// Whether a file may be overwritten.
private enum Overwriting {
    /// - Throws: ``ConfigError`` if the path exists, and is not to be replaced.
    static func check(_ path: String, isMeant: Bool) throws(ConfigError) {
        guard !isMeant, access(path, F_OK) == 0 else { return }
        throw ConfigError(.unreadable, "\(path) exists already; choose another file, or use --replace")
    }
}
