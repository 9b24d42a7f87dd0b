import ConfigModel
import Testing

@testable import LiveryApp

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
        // What no URL holds.
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

    @Test(arguments: [EntryValue.integer(1), .boolean(true), .strings(["https://example.org"]), .strings([])])
    func onlyAStringIsAnAddress(value: EntryValue) {
        #expect(WebAddress(configValue: value) == nil)
    }

    @Test func theDefaultIsAnAddressItself() {
        #expect(WebAddress(WebAddress.dogsAreAwesome.text) == .dogsAreAwesome)
    }
}
