// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import Essentials

/// How the program's configuration stands to its source.
public struct SourceStatus: Hashable, Sendable {
    /// The state of the connection.
    public enum Phase: String, Hashable, Sendable {
        /// Nothing has been read yet.
        case starting
        /// Every change arrives as it happens: the file is watched, or the server's stream is up.
        case live
        /// The source is polled, or read by ``RemoteConfigService/refresh(timeout:)`` alone where the service has not
        /// run yet, and the last answer was good. A ``SourceStatus/problem`` says why a source that could be live is
        /// not; a file without one is where the system does not report every change.
        case polling
        /// The last attempt did not reach the source, and it is waited for; or the program has been set offline, which
        /// ``SourceStatus/isSetOffline`` says. The last good values stay.
        case offline
        /// The source is there but refuses, or holds no usable configuration; the last good values stay, and it is
        /// tried again.
        case error
        /// The last run of the service has ended, so nothing follows the source. The last good values stay, and
        /// ``RemoteConfigService/refresh(timeout:)`` reads it.
        case stopped
    }

    /// Where the values that are shown came from.
    public typealias Origin = ValueOrigin

    /// The state of the connection.
    public var phase: Phase
    /// The source as the user named it.
    public var source: String
    /// Where the values that are shown came from.
    public var origin = Origin.nothing
    /// When the source says that its present content was made.
    public var modifiedAt: Timestamp?
    /// When the configuration last changed while the program ran.
    public var lastChangeAt: Timestamp?
    /// What is wrong, if anything is.
    public var problem: ConfigError?
    /// What is wrong with what is kept for the next start, if anything is: it was damaged, or cannot be written.
    public var cacheProblem: ConfigError?
    /// When the next attempt is due, if something is wrong or the source is polled; `nil` if only
    /// ``RemoteConfigService/refresh(timeout:)`` makes another.
    public var nextAttemptAt: Timestamp?
    /// When the read in progress began, if it has taken more than half a second: the source is slow, or sends its answer
    /// bit by bit. `nil` at the end of the read.
    public var readingSince: Timestamp?
    /// Whether the program was set offline (``RemoteConfigService/setOffline(_:)``) and makes no request. The phase is
    /// `offline` then.
    public var isSetOffline = false
    /// Whether ``RemoteConfigService/activate()``, or the next launch, changes a value; see ``ActivationPolicy``. Fetched
    /// rules that make no difference in the current context are staged as well; this becomes `true` with a context in which
    /// they do.
    public var hasStagedChanges = false

    /// What has been counted; no part of what makes two states differ.
    public var statistics: SourceStatistics {
        get { counted.value }
        set { counted.value = newValue }
    }
    private var counted = Uncompared(SourceStatistics())

    /// Creates the status before the first reading.
    public init(source: String) {
        self.source = source
        phase = .starting
    }
}

/// Posted after the connection to the source, or what is wrong with it, has changed.
public struct SourceStatusDidChange: NotificationCenter.AsyncMessage {
    /// The state whose status changed.
    public typealias Subject = ConfigState

    /// The status now.
    public let status: SourceStatus

    package init(status: SourceStatus) { self.status = status }
}
