// SPDX-License-Identifier: Apache-2.0

import Essentials
import Programs

/// Opens web addresses in the user's browser, never through a shell.
struct URLOpener: Sendable {
    enum Outcome: Hashable, Sendable {
        case opened(WebAddress, program: String)
        /// There is no browser: on a server or a text console.
        case noBrowser(WebAddress)
        case failed(WebAddress, reason: String)
    }

    struct Command: Hashable, Sendable {
        var program: String
        var arguments: [String]
    }

    let environment: [String: String]

    /// - Parameter onFailure: is called, on another thread, with the outcome of a browser that was started and failed.
    func open(_ url: WebAddress, onFailure: @escaping @Sendable (Outcome) -> Void = { _ in }) -> Outcome {
        guard let command = command(for: url) else { return .noBrowser(url) }
        let name = URL(filePath: command.program).lastPathComponent
        guard let path = executable(command.program) else {
            return .failed(url, reason: "\(name) is not installed")
        }
        let isStarted = OtherProgram.start(path, arguments: command.arguments) { ending in
            onFailure(.failed(url, reason: "\(name) \(ending)"))
        }
        return isStarted ? .opened(url, program: name) : .failed(url, reason: "cannot start \(name)")
    }

    /// The first command of `$BROWSER` that is installed, or its first, so that the message names it; without
    /// `$BROWSER` the desktop's own.
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
