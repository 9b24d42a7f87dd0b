// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import Testing

@testable import CurlTransport

struct ProxyRuleTests {
    @Test(
        arguments: [
            ([:], "http://h/", nil), (["http_proxy": ""], "http://h/", nil),
            (["http_proxy": "http://p:3128"], "http://h/", "p:3128"),
            (["http_proxy": "http://p:3128/x"], "http://h/", "p:3128"),
            (["http_proxy": "p:3128"], "http://h/", "p:3128"),
            (["http_proxy": "p"], "http://h/", "p:1080"), (["http_proxy": "http://[::1]"], "http://h/", "[::1]:1080"),
            (["http_proxy": "http://[::1]:8"], "http://h/", "[::1]:8"),
            (["http_proxy": "http://me:secret@p:3128"], "http://h/", "p:3128"),
            (["HTTP_PROXY": "http://p:3128"], "http://h/", nil), (["http_proxy": "http://p:1"], "https://h/", nil),
            (["https_proxy": "http://p:2"], "https://h/", "p:2"), (["HTTPS_PROXY": "http://p:2"], "https://h/", "p:2"),
            (["all_proxy": "socks5://p:3"], "https://h/", "p:3"), (["ALL_PROXY": "http://p:3"], "http://h/", "p:3"),
            (["http_proxy": "http://p:1"], "http://127.0.0.1:3000/", nil),
            (["http_proxy": "http://p:1"], "http://localhost/", nil),
            (["http_proxy": "http://p:1", "no_proxy": "h"], "http://h/", nil),
            (["http_proxy": "http://p:1", "NO_PROXY": "a, .example.org"], "http://x.example.org/", nil),
            (["http_proxy": "http://p:1", "no_proxy": "example.org"], "http://badexample.org/", "p:1"),
            (["http_proxy": "http://p:1", "no_proxy": "*"], "http://h/", nil),
        ] as [([String: String], String, String?)]
    )
    func itIsTheOneThatLibcurlTakes(environment: [String: String], url: String, proxy: String?) throws {
        let origin = try #require(URL(string: url).flatMap(Origin.init))
        #expect(ProxyRule(environment: environment).proxy(before: origin) == proxy)
    }
}
