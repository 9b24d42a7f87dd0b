import ArgumentParser
import ConfigServer

/// `livery-server backup FILE`.
struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy the data to a file, also while the server runs.",
        discussion: """
            The copy is the data as they are at one moment, checked, in one file.

            EXAMPLE
              livery-server backup --store /var/lib/livery/livery.sqlite /backups/livery.sqlite
            """
    )

    @Argument(help: "The file for the copy, which is replaced when the new copy is whole.")
    var destination: String

    @OptionGroup var file: StoreFile

    func run() throws {
        let path = file.path(Settings())
        try SQLiteStore.backup(of: path, to: destination)
        StandardError.write("copied \(path) to \(destination)")
    }
}

/// `livery-server restore FILE`.
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put a copy in the place of the data, while the server does not run.",
        discussion: """
            The restored data begin a new epoch, so that every client takes them anew.

            EXAMPLE
              livery-server restore --store /var/lib/livery/livery.sqlite /backups/livery.sqlite
            """
    )

    @Argument(help: "The copy.")
    var backup: String

    @OptionGroup var file: StoreFile

    func run() throws {
        let path = file.path(Settings())
        let cursor = try SQLiteStore.restore(from: backup, to: path)
        StandardError.write("restored \(path) from \(backup); it is at \(cursor) now")
    }
}
