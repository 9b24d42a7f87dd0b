// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// What a program begins with, from ``RemoteConfigService/firstState(timeout:)``.
public struct FirstState: Hashable, Sendable {
    /// The configuration, and how it stands to its source. `status.origin` says where the values came from.
    public let current: ConfigState.Snapshot
    /// Why the source has not answered; `nil` if it has.
    ///
    /// It is what is wrong with the source if that is known, else `unreachable`: the time was over. `offline` if the
    /// program has been set offline, and `cancelled` if the service ended.
    public let problem: ConfigError?

    /// Whether the source has answered in this process, so that the state is what it held then. Where changes are
    /// staged (``ActivationPolicy``), they may still wait: `current.status.hasStagedChanges`.
    public var isFromSource: Bool { problem == nil }

    /// The configuration.
    public var snapshot: EntrySnapshot { current.snapshot }
}
