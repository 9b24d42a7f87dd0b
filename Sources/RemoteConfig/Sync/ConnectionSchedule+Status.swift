internal import ConfigModel

// What the user sees.
extension ConnectionSchedule {
    /// The state of the connection.
    var phase: SyncStatus.Phase {
        let hasRead = lastSuccessAt != nil
        if case .open = stream, readProblem == nil, hasRead { return isUnsettled ? .polling : .live }
        if let lastFailure { return lastFailure.meansOffline ? .offline : .error }
        return hasRead ? .polling : .starting
    }

    /// What is wrong, if anything is.
    var problem: ConfigError? {
        if case .open = stream { return readProblem ?? (isUnsettled ? .unsettled : nil) }
        return lastFailure ?? streamProblem
    }

    /// When the next attempt is due, if something is wrong.
    var nextAttempt: Duration? {
        problem == nil ? nil : [nextRead, nextOpening].compactMap(\.self).min()
    }

    /// Whether a read that someone asked for is still to begin.
    var isAsked: Bool { askedReadAt != nil }
}

extension ConfigError {
    /// Whether the source knows who asks and does not want to answer.
    var isRefusal: Bool { code == .unauthorized || code == .forbidden }

    /// Whether the source was not there, rather than there and wrong.
    var meansOffline: Bool { [.unreachable, .unavailable, .rateLimited, .notFound].contains(code) }

    static let unsettled = ConfigError(
        .damaged,
        "the server's events do not fit its state again and again; the state is read instead, with pauses in between"
    )
}
