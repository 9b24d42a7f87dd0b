// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import RemoteConfig
import TestSupport
import Testing

struct SourceLocatorTests {
    @Test(
        arguments: [
            ("config.json", .file(path: "config.json")), ("/etc/a b.json", .file(path: "/etc/a b.json")),
            ("./http/x", .file(path: "./http/x")), ("a:b.json", .file(path: "a:b.json")), ("-", .file(path: "-")),
            ("C:\\x.json", .file(path: "C:\\x.json")), ("file:///etc/a%20b.json", .file(path: "/etc/a b.json")),
            ("file://localhost/etc/x", .file(path: "/etc/x")), ("FILE:///x", .file(path: "/x")),
            ("https://host/config.json", .document("https://host/config.json")),
            ("https://host/a/b", .document("https://host/a/b")),
            ("http://host/config.json?v=1", .document("http://host/config.json?v=1")),
            ("https://host/?x=1", .document("https://host/?x=1")),
            ("https://host/v1/a/b/c", .document("https://host/v1/a/b/c")),
            ("https://host/v1/a/config?x", .document("https://host/v1/a/config?x")),
            ("https://host/v2", .document("https://host/v2")),
            ("https://host/default.json", .document("https://host/default.json")),
            ("http://127.0.0.1:3000", .server("http://127.0.0.1:3000", "default")),
            ("https://host/", .server("https://host", "default")),
            ("https://host/v1", .server("https://host", "default")),
            ("https://host/v1/", .server("https://host", "default")),
            ("http://[::1]:3000/v1/shop", .server("http://[::1]:3000", "shop")),
            ("http://host:3000/v1/shop/", .server("http://host:3000", "shop")),
            ("http://host:3000/v1/shop/config", .server("http://host:3000", "shop")),
            ("HTTP://host:3000", .server("HTTP://host:3000", "default")),
            ("http://host:3000/v1/shop?draft=k3x9m2ab", .preview("http://host:3000", "shop", "k3x9m2ab")),
            ("http://host/?draft=a", .preview("http://host", "default", "a")),
            ("http://host/v1/shop/config?draft=a1", .preview("http://host", "shop", "a1")),
            ("http://host/a.json?draft=a", .document("http://host/a.json?draft=a")),
            ("http://host/v1/shop?draft=a&x=1", .document("http://host/v1/shop?draft=a&x=1")),
        ] as [(String, Expected)]
    ) func distinguishesKindsOfSources(_ text: String, _ expected: Expected) throws {
        #expect(try SourceLocator(text) == expected.locator)
    }

    /// A locator in short.
    enum Expected: Sendable {
        case file(path: String)
        case document(String)
        case server(String, String)
        case preview(String, String, String)

        var locator: SourceLocator? {
            switch self {
            case .file(let path): .file(path: path)
            case .document(let url): URL(string: url).map { .document($0) }
            case .server(let url, let namespace): URL(string: url).map { .server($0, namespace: namespace) }
            case .preview(let url, let namespace, let draft):
                URL(string: url).map { .server($0, namespace: namespace, draft: draft) }
            }
        }
    }

    @Test(arguments: [
        ("", "empty"), ("ftp://host/x", "ftp:"), ("ws://host", "ws:"), ("http://", "host"),
        ("https:///config.json", "host"),
        ("http:config.json", "host"), ("http://user@host/x.json", "pass the token separately"),
        ("http://u:secret@host/", "pass the token separately"),
        ("https://host/a b.json", "%20"), ("https://host/a\n", "line break"), ("http://host:99999/", "99999"),
        ("http://host:0/", "port"),
        ("http://host/v1/shop?draft=", "draft"), ("http://host/v1/shop?draft=a%2Fb", "draft"),
        ("http://host/v1/Shop", "namespace"), ("http://host/v1/a_b/config", "namespace"), ("file://host/x", "file:///"),
        ("file:x", "file:///"),
    ]) func errorDescribesTheCause(_ text: String, _ hint: String) {
        #expect { try SourceLocator(text) } throws: { error in
            guard let error = error as? ConfigError else { return false }
            return error.code == .invalidSource && error.message.contains(hint) && !error.description.contains("secret")
        }
    }
}
