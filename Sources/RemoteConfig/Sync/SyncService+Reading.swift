internal import ConfigModel

// Reading the source.
extension SyncService {
    /// What is known, for the source to add to.
    var position: SourcePosition {
        needsWhole
            ? SourcePosition(seen: mark.cursor) : SourcePosition(cursor: mark.cursor, validators: mark.validators)
    }

    func startRead(showingFailure: Bool) {
        showsFailure = showingFailure
        readInFlight = Task(executorPreference: executor) { await self.readOnce() }
    }

    private func readOnce() async -> RefreshOutcome {
        do throws(ConfigError) {
            let (changedKeys, nextReadAfter) = try await readAndApply()
            readInFlight = nil
            if !isWatched { handle(.readSucceeded(nextReadAfter: nextReadAfter)) }
            showConnection()
            return changedKeys.isEmpty ? .unchanged : .changed(keys: changedKeys)
        } catch {
            readInFlight = nil
            if !Task.isCancelled { readFailed(error) }
            return .failed(error)
        }
    }

    private func readFailed(_ error: ConfigError) {
        if !isWatched {
            handle(.readFailed(error))
            showConnection()
        } else if showsFailure, source.isAtRest() {
            show(problem: error)
        }
    }

    private func readAndApply() async throws(ConfigError) -> (changedKeys: [String], nextReadAfter: Duration?) {
        let isWhole = needsWhole
        let reading = try await source.read(after: position)
        if let changedKeys = try apply(reading) {
            if isWhole { needsWhole = false }
            return (changedKeys, reading.nextReadAfter)
        }
        guard !isWhole else {
            throw ConfigError(.damaged, "the server answers with changes to one who knows nothing", source: source.name)
        }
        // Changes that do not fit, or lead to something else than the server has: only the whole state will do.
        needsWhole = true
        return try await readAndApply()
    }

    /// - Returns: the keys that changed; `nil` if the reading does not fit to the state.
    private func apply(_ reading: SourceReading) throws(ConfigError) -> [String]? {
        let (name, snapshot, time) = (source.name, state.current.snapshot, now())
        var next = CacheMark(validators: reading.validators, modifiedAt: reading.modifiedAt)
        let update: ConfigSnapshot.Update
        switch reading.content {
        case .unchanged:
            next.validators = reading.validators ?? mark.validators
            next.modifiedAt = reading.modifiedAt ?? mark.modifiedAt
            update = (snapshot, [])
        case .document(let document):
            update = snapshot.updated(with: document, from: name, at: time)
        case .snapshot(let whole, let isReset):
            try refuseOlder(whole, isReset: isReset)
            update = try snapshot.updated(with: whole, from: name, at: time)
        case .changes(let changes, let epoch):
            guard let changed = snapshot.updated(with: changes, epoch: epoch, from: name, at: time) else { return nil }
            update = changed
        }
        commit(update, next, at: time)
        return update.changedKeys
    }

    /// A proxy may keep an answer for too long. Whoever shows a state never goes back to an older one of its history.
    private func refuseOlder(_ whole: ServerSnapshot, isReset: Bool) throws(ConfigError) {
        guard !isReset, let own = mark.cursor, own.epoch == whole.cursor.epoch, whole.cursor.revision < own.revision
        else { return }
        let message =
            "the answer is of revision \(whole.cursor.revision), which is older than \(own.revision), which is known"
        throw ConfigError(.damaged, message + "; a proxy in between may keep answers for too long", source: source.name)
    }
}
