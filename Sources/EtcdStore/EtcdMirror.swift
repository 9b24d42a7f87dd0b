#if Etcd
    internal import ConfigModel
    internal import ConfigStore
    internal import Synchronization

    /// The store's state as this server knows it, and who is told of what other servers commit.
    final class EtcdMirror: Sendable {
        private let storage = Mutex(Storage())

        fileprivate struct Storage {
            var state: EtcdState?
            /// The furthest that the store has ever been.
            var furthest: Cursor?
            var listener: AsyncStream<Commit>.Continuation?
            /// What nobody has been told of since the state was loaded.
            var pending: [Commit] = []
        }

        /// What became of records of the log.
        enum Reception: Hashable, Sendable {
            /// The state has them all.
            case done
            /// There are others before them.
            case gap
            /// They contradict the state, which has to be loaded anew.
            case contradiction
        }

        /// The state; `nil` until it has been loaded.
        var state: EtcdState? { storage.withLock { $0.state } }

        /// The epoch and the highest revision of the state; `nil` until it has been loaded.
        var cursor: Cursor? { storage.withLock { $0.state?.head.cursor } }

        /// The highest revision of the state; 0 until it has been loaded.
        var revision: UInt64 { cursor?.revision ?? 0 }

        /// The furthest that the store has ever been; `nil` until the state has been loaded.
        var furthest: Cursor? { storage.withLock { $0.furthest } }

        /// Takes the state as it was loaded.
        ///
        /// - Returns: the state that is kept: one that commits have led further goes on being right.
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

        /// Forgets the state, which has proved wrong, and who was told of commits.
        func forget() {
            storage.withLock { storage in
                storage.state = nil
                storage.listener = nil
            }
        }

        /// Takes records that other servers have put, in the order of their revisions, and tells of them.
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

        /// Takes what this server has committed, of which it tells nobody.
        func apply(own batch: EtcdBatch, size: Int, at revision: Int64) -> Reception {
            storage.withLock { storage in
                switch storage.apply(batch, size: size, at: revision) {
                case .applied, .known: .done
                case .early: .gap
                case .contradiction: .contradiction
                }
            }
        }

        /// Makes a sequence the one that is told; the one before it ends.
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
