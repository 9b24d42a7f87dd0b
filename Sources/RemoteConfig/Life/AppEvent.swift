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
