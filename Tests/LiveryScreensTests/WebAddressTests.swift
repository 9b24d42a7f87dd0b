// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import TestSupport
import Testing

@testable import LiveryScreens

struct WebAddressTests {
    @Test(arguments: [
        "http://example.org", "https://example.org/", "HTTPS://example.org", "HtTp://EXAMPLE.org/A",
        "http://localhost:8080/x",
        "http://127.0.0.1", "https://[::1]:8443/", "https://[2001:db8::1]/path", "https://example.org?q=a%20b&c=d#top",
        "https://example.org/$(touch%20x);a'b", "https://example.org/@user", "https://example.org/a?to=b@c",
        "https://xn--exmple-cua.org", "https://example.org/%F0%9F%98%B8", "https://example.org/javascript:alert(1)",
    ])
    func absoluteWebAddressesAreAcceptedAsTheyAre(text: String) {
        #expect(WebAddress(text)?.text == text)
        #expect(WebAddress(configValue: .string(text))?.text == text)
    }

    @Test(arguments: [
        // Other schemes, and none.
        "javascript:alert(1)", "JavaScript://example.org/%0Aalert(1)", "file:///etc/passwd", "data:text/html,x",
        "ftp://example.org", "mailto:a@example.org", "vbscript:x", "about:blank", "httpx://example.org",
        "xhttp://example.org",
        "view-source:https://example.org", "", "example.org", "www.example.org", "//example.org", "/path", "path", "?q",
        "#f",
        // No host.
        "http:", "http:/", "http://", "https:///path", "http:example.org", "https://:443", "https://?q", "https://#f",
        // A host that is read differently by different programs.
        "https://user@example.org", "https://user:secret@example.org", "https://@example.org", "https://:@example.org",
        "https://bank.example@evil.example/", "https://example.org\\@evil.example", "https://exa%6Dple.org",
        "https://example.org%00.evil.example", "https://[::1", "https://[fe80::1%25eth0]/",
        // Characters that no URL contains.
        " https://example.org", "https://example.org ", "https://example.org/a b", "https://example.org/\n",
        "https://ex\tample.org",
        "https://example.org/\u{0}", "https://example.org/\u{1B}[2J", "https://example.org/\u{7F}",
        "https://example.org/\u{9B}m",
        "https://example.org/\u{202E}", "https://exämple.org", "https://example.org/😸", "https://example.org/\"x\"",
        "https://example.org/<x>", "https://example.org/`x`", "-https://example.org", "--help",
    ])
    func everythingElseIsRefused(text: String) {
        #expect(WebAddress(text) == nil)
    }
}

struct URLOpenerTests {
    private let url: WebAddress

    init() throws {
        url = try #require(WebAddress("https://example.org/$(touch%20x);a'b&c=d*?e"))
    }

    private func command(_ environment: [String: String]) -> URLOpener.Command? {
        URLOpener(environment: environment).command(for: url)
    }

    @Test(arguments: [
        ("firefox", "firefox", ["URL"]), ("firefox %s", "firefox", ["URL"]),
        ("firefox --new-tab", "firefox", ["--new-tab", "URL"]),
        ("firefox --url=%s --kiosk", "firefox", ["--url=URL", "--kiosk"]), ("a %s %s", "a", ["URL", "URL"]),
        ("  firefox   -x  ", "firefox", ["-x", "URL"]), (":: :firefox:lynx", "firefox", ["URL"]),
        ("a:b %s", "a", ["URL"]),
        ("a \"%s\" '%s'", "a", ["\"URL\"", "'URL'"]), ("%s", "%s", ["URL"]),
    ])
    func theBrowserIsAListOfCommandsWithAPlaceForTheURL(browser: String, program: String, arguments: [String]) {
        let expected = arguments.map { $0.replacing("URL", with: url.text) }
        #expect(command(["BROWSER": browser]) == URLOpener.Command(program: program, arguments: expected))
    }

    @Test func theFirstBrowserThatIsInstalledIsUsed() {
        let command = command([
            "BROWSER": "/nowhere/browser:no-such-browser %s:true -x %s:false", "PATH": "/usr/bin:/bin",
        ])
        #expect(command == URLOpener.Command(program: "true", arguments: ["-x", url.text]))
    }

    #if !os(macOS)
        @Test(
            arguments: [[:], ["BROWSER": ""], ["BROWSER": " : "], ["DISPLAY": ""], ["PATH": "/usr/bin"]]
                as [[String: String]]
        )
        func withoutABrowserOrADisplayThereIsNone(environment: [String: String]) {
            #expect(command(environment) == nil)
            #expect(URLOpener(environment: environment).open(url) == .noBrowser(url))
        }

        @Test(arguments: ["DISPLAY", "WAYLAND_DISPLAY"])
        func aDisplayHasADesktopsBrowser(name: String) {
            let expected = URLOpener.Command(program: "xdg-open", arguments: [url.text])
            #expect(command([name: ":0"]) == expected)
            #expect(command([name: ":0", "BROWSER": ""]) == expected)
        }
    #endif

    @Test(arguments: [
        ["BROWSER": "/nowhere/browser %s"], ["BROWSER": "browser:other", "PATH": "/nowhere"], ["BROWSER": "browser"],
    ])
    func aBrowserThatIsNotInstalledIsNamed(environment: [String: String]) {
        #expect(URLOpener(environment: environment).open(url) == .failed(url, reason: "browser is not installed"))
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["", " --new-tab 'a;b' $(x) \"%s\" %s"])
    func argumentsArriveLiterallyAndNoShellSeesThem(options: String) async throws {
        let folder = try TemporaryDirectory()
        // Renamed when complete, so that a reader of the file sees all of it.
        let script =
            "#!/bin/sh\nprintf '%s\\n' \"$@\" > '\(folder.path)/part' && mv '\(folder.path)/part' '\(folder.path)/arguments'\n"
        let browser = try folder.writeProgram(script, to: "browser")
        let outcome = URLOpener(environment: ["BROWSER": browser + options]).open(url)
        #expect(outcome == .opened(url, program: "browser"))
        let expected = options.isEmpty ? ["%s"] : ["--new-tab", "'a;b'", "$(x)", "\"%s\"", "%s"]
        let arguments = try await folder.contents(of: "arguments").split(separator: "\n").map(String.init)
        #expect(arguments == expected.map { $0.replacing("%s", with: url.text) })
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [("exit 3", "browser exited with code 3"), ("kill -9 $$", "browser was killed by signal 9")]
    )
    func aBrowserThatFailsAtOnceIsNamed(script: String, reason: String) async throws {
        let folder = try TemporaryDirectory()
        let browser = try folder.writeProgram("#!/bin/sh\n\(script)\n", to: "browser")
        let outcomes = Log<URLOpener.Outcome>()
        let url = url
        let first = URLOpener(environment: ["BROWSER": browser]).open(url) { outcomes.append($0) }
        #expect(first == .opened(url, program: "browser"))
        try await until("the failure is known") { outcomes.entries == [.failed(url, reason: reason)] }
    }

    @Test func aProgramThatCannotBeStartedIsNamed() throws {
        let folder = try TemporaryDirectory()
        let browser = try folder.writeProgram("#!/nowhere/interpreter\n", to: "broken")
        let outcome = URLOpener(environment: ["BROWSER": browser]).open(url)
        #expect(outcome == .failed(url, reason: "cannot start broken"))
    }
}

extension TemporaryDirectory {
    /// Waits until a file or folder is there.
    fileprivate func waitFor(_ name: String) async throws {
        try await until("\(name)") { FileManager.default.fileExists(atPath: self[name]) }
    }

    fileprivate func contents(of name: String) async throws -> String {
        try await waitFor(name)
        return String(decoding: try read(name), as: UTF8.self)
    }
}
