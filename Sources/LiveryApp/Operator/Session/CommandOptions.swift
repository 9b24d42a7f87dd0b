import ArgumentParser
import ConfigModel
import Foundation
import RemoteConfig
import TerminalUI

/// How to write: for people on a terminal and for programs elsewhere, unless an option says otherwise.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Write JSON (default if standard output is not a terminal).")
    var json = false

    @Flag(help: "Write text (default on a terminal).")
    var plain = false

    func validate() throws {
        if json, plain { throw ValidationError("Choose either --json or --plain.") }
    }

    /// Without options. Not `init()`, whose wrappers have no values before they are parsed.
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
    /// The columns of the terminal behind a descriptor; `nil` if it does not report them.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}

/// The message and the conditions of a write.
struct WriteOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("Why, for the history.", valueName: "text"))
    var message: String?

    @Option(
        help: ArgumentHelp("Write only if the namespace is at this revision, or exit with 75.", valueName: "revision")
    )
    var expect: UInt64?

    @Option(
        help: ArgumentHelp("Write only if the key has this revision; for one key.", valueName: "revision")
    )
    var ifMatch: UInt64?

    func validate() throws {
        if expect != nil, ifMatch != nil { throw ValidationError("Choose either --expect or --if-match.") }
    }
}

extension WriteOptions {
    /// The condition on the key. A revision counts as one of the server's present epoch.
    func condition(on client: ServerClient) async throws(ConfigError) -> ServerClient.Condition? {
        guard let ifMatch else { return nil }
        return .isAt(Cursor(epoch: try await client.info().head.epoch, revision: ifMatch))
    }
}
