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

        /// The result of applying records of the log.
        enum Reception: Hashable, Sendable {
            /// The state includes them all.
            case done
            /// Records before them are missing.
            case gap
            /// They are inconsistent with the state, which has to be loaded again.
            case contradiction
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
        func apply(_ records: [EtcdReader.Record]) -> Reception {
            storage.withLock { storage in
                for record in records {
                    switch storage.apply(record.batch, size: record.size, at: record.revision) {
                    case .applied(let commits):
                        storage.yield(commits)
                    case .known: break
                    case .early: return .gap
                    case .contradiction: return .contradiction
                    }
                }
                return .done
            }
        }

        /// Applies what this server has committed, without yielding it.
        func apply(own batch: EtcdBatch, size: Int, at revision: Int64) -> Reception {
            storage.withLock { storage in
                switch storage.apply(batch, size: size, at: revision) {
                case .applied, .known: .done
                case .early: .gap
                case .contradiction: .contradiction
                }
            }
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
        fileprivate mutating func apply(_ batch: EtcdBatch, size: Int, at revision: Int64) -> EtcdState.Application {
            // Removed first, so that it is uniquely referenced and changed in place.
            guard var state = state.take() else { return .early }
            defer {
                self.state = state
                furthest = state.head.cursor
            }
            return state.apply(batch, size: size, at: revision)
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
