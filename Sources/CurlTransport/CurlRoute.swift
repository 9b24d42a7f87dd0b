// SPDX-License-Identifier: Apache-2.0

internal import HTTPTransport

/// The route of a request.
struct CurlRoute {
    let settings: TransportSettings
    /// Host and port of the proxy that libcurl will use, for messages.
    let proxy: String?

    init(to origin: Origin?, by settings: TransportSettings, else rule: ProxyRule) {
        self.settings = settings
        let isDirect = settings.unixSocket != nil
        proxy = isDirect ? nil : settings.proxy?.name ?? origin.flatMap(rule.proxy)
    }
}

/// The proxy that libcurl uses for an address, by the same variables, so that messages name the right one.
struct ProxyRule {
    let environment: [String: String]

    /// Host and port of the proxy, without its password; `nil` without a proxy.
    func proxy(before origin: Origin) -> String? {
        if origin.isLoopback || isExempt(origin.host) { return nil }
        // Upper-case HTTP_PROXY may come from a request's header where programs are run by web servers.
        let names = origin.isEncrypted ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        return (names + ["all_proxy", "ALL_PROXY"]).lazy.compactMap(value).first.map(Self.hostAndPort)
    }

    private func value(of name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private func isExempt(_ host: String) -> Bool {
        guard let list = value(of: "no_proxy") ?? value(of: "NO_PROXY") else { return false }
        if list == "*" { return true }
        return list.lowercased().split { ", ".contains($0) }.contains { entry in
            let name = entry.drop { $0 == "." }
            return host == name || host.hasSuffix("." + name)
        }
    }

    private static func hostAndPort(_ address: String) -> String {
        var rest = Substring(address)
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.prefix { $0 != "/" }
        if let user = rest.lastIndex(of: "@") { rest = rest[rest.index(after: user)...] }
        let hasPort = rest.last { ":]".contains($0) } == ":"
        return hasPort ? String(rest) : "\(rest):1080"
    }
}
