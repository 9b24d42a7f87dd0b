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

    /// Reads, and reports to the connection and to those who asked how that ended, whatever the end is.
    private func readOnce() async -> RefreshOutcome {
        let outcome: RefreshOutcome
        let input: ConnectionSchedule.Input
        do throws(ConfigError) {
            let (changedKeys, nextReadAfter) = try await readAndApply()
            outcome = changedKeys.isEmpty ? .unchanged : .changed(keys: changedKeys)
            input = .readSucceeded(nextReadAfter: nextReadAfter)
        } catch {
            outcome = .failed(error)
            input = Task.isCancelled ? .readCancelled : .readFailed(error)
        }
        (readInFlight, lastReadAt) = (nil, clock.now)
        answerAskers(outcome)
        if !isWatched {
            handle(input)
        } else if case .readFailed(let error) = input, showsFailure, source.isAtRest() {
            show(problem: error)
        }
        showConnection()
        return outcome
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
        let update: EntrySnapshot.Update
        var isReset = false
        switch reading.content {
        case .unchanged:
            next.validators = reading.validators ?? mark.validators
            next.modifiedAt = reading.modifiedAt ?? mark.modifiedAt
            update = (snapshot, [])
        case .document(let document):
            update = snapshot.updated(with: document, from: name, at: time)
        case .snapshot(let whole, let isToldAsReset):
            isReset = isToldAsReset
            try refuseOlder(whole, isReset: isReset)
            update = try snapshot.updated(with: whole, from: name, at: time)
        case .changes(let changes, let epoch):
            guard let changed = snapshot.updated(with: changes, epoch: epoch, from: name, at: time) else { return nil }
            update = changed
        }
        commit(update, next, isReset: isReset, at: time)
        return update.changedKeys
    }

    /// A proxy may keep an answer for too long. A state never gives way to an older one of its history.
    private func refuseOlder(_ whole: ServerSnapshot, isReset: Bool) throws(ConfigError) {
        guard !isReset, let own = mark.cursor, own.epoch == whole.cursor.epoch, whole.cursor.revision < own.revision
        else { return }
        let message =
            "the answer is of revision \(whole.cursor.revision), which is older than \(own.revision), which is known"
        throw ConfigError(.damaged, message + "; a proxy in between may keep answers for too long", source: source.name)
    }
}
