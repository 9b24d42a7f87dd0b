#if Etcd
    internal import ConfigModel
    internal import ConfigStore
    internal import Synchronization

    /// The state of the store in this server, and the listener for the commits of other servers.
    final class EtcdMirror: Sendable {
        private let storage = Mutex(Storage())

        fileprivate struct Storage {
            var state: EtcdState?
            /// The highest head that the store has ever had.
            var furthest: Cursor?
            var listener: AsyncStream<Commit>.Continuation?
            /// The commits since the state was loaded, while there is no listener.
            var pending: [Commit] = []
        }

        /// The state; `nil` until it has been loaded.
        var state: EtcdState? { storage.withLock { $0.state } }

        /// The epoch and the highest revision of the state; `nil` until it has been loaded.
        var cursor: Cursor? { storage.withLock { $0.state?.head.cursor } }

        /// The highest revision of the state; 0 until it has been loaded.
        var revision: UInt64 { cursor?.revision ?? 0 }

        /// The highest head that the store has ever had; `nil` until the state has been loaded.
        var furthest: Cursor? { storage.withLock { $0.furthest } }

        /// Installs a loaded state.
        ///
        /// - Returns: the state that is kept: the present one if commits have made it newer.
        func install(_ loaded: EtcdState) -> EtcdState {
            storage.withLock { storage in
                if let state = storage.state, state.head.cursor.epoch == loaded.head.cursor.epoch,
                    state.head.cursor.revision > loaded.head.cursor.revision
                {
                    return state
                }
                storage.state = loaded
                storage.furthest = loaded.head.cursor
                storage.pending = []
                return loaded
            }
        }

        /// Drops the state, which is wrong, and the listener.
        func forget() {
            storage.withLock { storage in
                storage.state = nil
                storage.listener = nil
            }
        }

        /// Applies records of other servers, in the order of their revisions, and yields their commits.
        func apply(_ records: [EtcdReader.Record]) -> EtcdState.Application {
            storage.withLock { storage in
                for record in records {
                    let (result, isNew) = storage.apply(record)
                    if result != .done { return result }
                    if isNew { storage.yield(record.batch.revisions.map(\.commit)) }
                }
                return .done
            }
        }

        /// Applies what this server has committed, without yielding it.
        func apply(own record: EtcdReader.Record) -> EtcdState.Application {
            storage.withLock { $0.apply(record).result }
        }

        /// Sets the listener; the sequence of the previous one ends.
        func listen(_ listener: AsyncStream<Commit>.Continuation) {
            storage.withLock { storage in
                let old = storage.listener
                storage.listener = listener
                for commit in storage.pending { listener.yield(commit) }
                storage.pending = []
                return old
            }?.finish()
        }
    }

    extension EtcdMirror.Storage {
        fileprivate mutating func apply(
            _ record: EtcdReader.Record
        ) -> (result: EtcdState.Application, isNew: Bool) {
            // Removed first, so that it is uniquely referenced and changed in place.
            guard var state = state.take() else { return (.gap, false) }
            let revision = state.head.cursor.revision
            let result = state.apply(record)
            (self.state, furthest) = (state, state.head.cursor)
            return (result, state.head.cursor.revision > revision)
        }

        fileprivate mutating func yield(_ commits: [Commit]) {
            guard let listener else {
                pending += commits
                return
            }
            for commit in commits { listener.yield(commit) }
        }
    }
#endif
