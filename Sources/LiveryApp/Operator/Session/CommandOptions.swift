import ArgumentParser
import ConfigModel
import Foundation
import RemoteConfig
import TerminalUI

/// For whom to write: people at a terminal, programs elsewhere, unless told otherwise.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Write JSON, as is done where standard output is no terminal.")
    var json = false

    @Flag(help: "Write text, as is done on a terminal.")
    var plain = false

    func validate() throws {
        if json, plain { throw ValidationError("Choose either --json or --plain.") }
    }

    /// What holds where nothing was said. Not `init()`, whose wrappers have no values before they are parsed.
    static let standard = OutputOptions(json: false, plain: false)

    private init(json: Bool, plain: Bool) {
        self.json = json
        self.plain = plain
    }

    init() {}
}

extension OutputStyle {
    /// The style for standard output.
    @MainActor
    init(wantsJSON: Bool, wantsText: Bool, environment: [String: String]) {
        isTerminal = isatty(STDOUT_FILENO) != 0
        isJSON = wantsJSON || !isTerminal && !wantsText
        guard isTerminal else { return }
        columns = TerminalSize.columns(of: STDOUT_FILENO)
        let profile = TerminalProfile(choice: .auto, environment: environment)
        isColored = profile.depth != .monochrome && profile.obstacle == nil
        repertoire = .locale()
    }
}

/// The size of a terminal.
enum TerminalSize {
    /// The columns of the terminal behind a descriptor; `nil` where it does not know them.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}

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
