import ArgumentParser
import ConfigModel
import RemoteConfig

/// Why something is written, and what must be so for it.
struct WriteOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("Why, for the history.", valueName: "text"))
    var message: String?

    @Option(
        help: ArgumentHelp("Write only if the namespace is at this revision; else exit with 75.", valueName: "revision")
    )
    var expect: UInt64?

    @Option(
        help: ArgumentHelp("Write only if the key is of this revision; for one key.", valueName: "revision")
    )
    var ifMatch: UInt64?

    func validate() throws {
        if expect != nil, ifMatch != nil { throw ValidationError("Choose either --expect or --if-match.") }
    }
}

extension WriteOptions {
    /// What must be so for the key to be written. A revision is taken for one of the server's present epoch.
    func condition(on client: ServerClient) async throws(ConfigError) -> ServerClient.Condition? {
        guard let ifMatch else { return nil }
        return .isAt(Cursor(epoch: try await client.info().head.epoch, revision: ifMatch))
    }
}
