public import ConfigModel
internal import ConfigStore

extension ConfigHub {
    /// Whether a client has seen more of the store than is in memory: another server on it has told it.
    public func isBehind(_ seen: Cursor) -> Bool {
        head.map { $0.epoch == seen.epoch && $0.revision < seen.revision } ?? false
    }

    /// Waits until memory has what a client has seen elsewhere.
    ///
    /// - Returns: whether the client may be answered, since memory has the revision, or since the store itself has not
    ///   got so far: a client that has seen more has seen another history.
    public func catchesUp(with seen: Cursor) async -> Bool {
        guard isBehind(seen) else { return true }
        let question = headQuestion.ask { [weak self] in self?.signal() }
        return await wait(atMost: patience) { hub in
            if !hub.isBehind(seen) { return true }
            return hub.headQuestion.answer(to: question).flatMap { $0.refutes(seen) ? true : nil }
        } ?? false
    }

    /// Has the store asked for a commit that somebody says there is, if that is news.
    func look(for told: Cursor) {
        guard isBehind(told) else { return }
        _ = headQuestion.ask { [weak self] in self?.signal() }
    }

    /// Waits until memory has what the store had when it was asked something: for answers that made no commit.
    func catchUpWithStore() async {
        guard let head = try? await store.head() else { return }
        _ = await wait(atMost: .seconds(5)) { $0.isBehind(head) ? nil : true }
    }
}

extension HeadQuestion.Answer {
    /// Whether the store has never been where a client says that it was.
    fileprivate func refutes(_ seen: Cursor) -> Bool {
        switch self {
        case .alone: true
        case .at(let head): head.epoch != seen.epoch || head.revision < seen.revision
        case .unknown: false
        }
    }
}
