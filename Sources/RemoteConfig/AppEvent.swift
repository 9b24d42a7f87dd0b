// SPDX-License-Identifier: Apache-2.0

/// An event in the life of an app, for ``RemoteConfigService/run(following:)``.
public struct AppEvent: Hashable, Sendable {
    enum Kind { case enteredBackground, enteredForeground, networkReturned }

    let kind: Kind

    /// The app entered the background: the service pauses.
    public static let enteredBackground = AppEvent(kind: .enteredBackground)
    /// The app returned to the foreground: the service resumes and reads its source.
    public static let enteredForeground = AppEvent(kind: .enteredForeground)
    /// The network returned, or is another one: the service reconnects.
    public static let networkReturned = AppEvent(kind: .networkReturned)
}

/// The network of this machine, as the system reports it.
struct NetworkPath: Hashable, Sendable {
    /// Whether connections can be made.
    var isUsable: Bool
    /// The interface that connections use, such as `en0`, and its gateways: they differ from one Wi-Fi network to the next.
    var interface: String?
    var gateways: Set<String> = []

    /// Whether this path has replaced another one, or the network has returned.
    func isNew(after former: NetworkPath?) -> Bool { isUsable && former.map { $0 != self } ?? false }
}
