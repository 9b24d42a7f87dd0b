// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Essentials
import Programs

/// An absolute `http` or `https` URL. Nothing else is ever handed to a browser.
///
/// A user name or a password in it is refused, as `https://bank.example@evil.example` leads elsewhere than it seems
/// (RFC 3986, section 7.6), and so is a host with percent-encoding, which browsers read differently.
struct WebAddress: Hashable, Sendable, LosslessStringConvertible {
    /// The URL's text, percent-encoded, free of spaces and control characters.
    let text: String
    var description: String { text }

    init?(_ text: String) {
        guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }),
            let url = URL(string: text, encodingInvalidCharacters: false),
            let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(percentEncoded: true), !host.isEmpty, !host.contains("%"),
            url.user() == nil, url.password() == nil
        else { return nil }
        self.text = text
    }

    private init(known text: String) { self.text = text }

    static let dogsAreAwesome = WebAddress(known: "https://www.google.com/search?query=dogs%20are%20awesome")
}

extension WebAddress: ConfigStorable, CodedScalar {
    static var configTypeName: String { "URL such as https://example.org" }

    // The schema cannot say all that `init(_:)` checks, and is not stricter.
    static var configSchema: EntryValue { ["type": "string", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$"] }
}

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
