import Foundation

/// Opens web addresses in the user's browser, never through a shell.
struct URLOpener: Sendable {
    /// The result of an attempt.
    enum Outcome: Hashable, Sendable {
        case opened(WebAddress, program: String)
        /// There is no browser: a server, a text console.
        case noBrowser(WebAddress)
        case failed(WebAddress, reason: String)
    }

    /// A program and its arguments.
    struct Command: Hashable, Sendable {
        var program: String
        var arguments: [String]
    }

    let environment: [String: String]

    func open(_ url: WebAddress) -> Outcome {
        guard let command = command(for: url) else { return .noBrowser(url) }
        let name = URL(filePath: command.program).lastPathComponent
        guard let path = executable(command.program) else {
            return .failed(url, reason: "\(name) is not installed")
        }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = command.arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
            return .opened(url, program: name)
        } catch {
            return .failed(url, reason: "\(name) cannot be started")
        }
    }

    /// The first command of `$BROWSER` that is installed; else the desktop's own, where there is one.
    ///
    /// If none of `$BROWSER` is installed, its first, so that the message names it.
    func command(for url: WebAddress) -> Command? {
        let browsers = browserCommands(for: url)
        return browsers.first { executable($0.program) != nil } ?? browsers.first ?? desktopCommand(for: url)
    }

    /// The commands of `$BROWSER`: a list between colons, of words between spaces, with `%s` for the URL or the URL
    /// at the end. Quotes mean nothing.
    private func browserCommands(for url: WebAddress) -> [Command] {
        (environment["BROWSER"] ?? "").split(separator: ":").compactMap { command in
            let words = command.split(separator: " ").map(String.init)
            guard let program = words.first else { return nil }
            let arguments = words.dropFirst().map { $0.replacing("%s", with: url.text) }
            let namesPlace = words.dropFirst().contains { $0.contains("%s") }
            return Command(program: program, arguments: namesPlace ? arguments : arguments + [url.text])
        }
    }

    private func desktopCommand(for url: WebAddress) -> Command? {
        #if os(macOS)
            return Command(program: "/usr/bin/open", arguments: [url.text])
        #else
            let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
            return hasDisplay ? Command(program: "xdg-open", arguments: [url.text]) : nil
        #endif
    }

    private func executable(_ program: String) -> String? {
        let folders = program.contains("/") ? [""] : (environment["PATH"] ?? "").split(separator: ":").map { $0 + "/" }
        return folders.map { $0 + program }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
