// SPDX-License-Identifier: Apache-2.0

public import Essentials

/// An address that is complete in itself.
///
/// Foundation's `URL` takes nearly every text for an address, as one that is relative to another; as a value of a
/// configuration that is an error.
///
/// ```swift
/// let config = ConfigReader(provider: RemoteConfigProvider(service: service))
/// let url = config.string(forKey: "app.fun_button.url", as: AbsoluteURL.self)?.url
/// ```
///
/// Any scheme will do, `javascript:` included: look at the scheme before you open what others wrote.
public struct AbsoluteURL: Hashable, Sendable {
    /// The address; it has a scheme, and a host if the scheme is one of the web's.
    public let url: URL

    /// Takes over an address; `nil` if it is relative, or one of the web without a host.
    public init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), !scheme.isEmpty else { return nil }
        if ["http", "https", "ws", "wss"].contains(scheme), (url.host() ?? "").isEmpty { return nil }
        self.url = url.absoluteURL
    }
}
