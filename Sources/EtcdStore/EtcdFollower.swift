#if Etcd
    internal import ConfigModel
    internal import ConfigStore
    internal import Synchronization

    /// Keeps the mirror up to date with the commits of other servers.
    ///
    /// A watch receives each record at once. Twice a second the log is read to verify that the watch has missed nothing:
    /// so a watch on a member that is paused or partitioned is detected, and replaced. The log is read to its end before
    /// a watch begins, so that neither etcd's compaction nor the loss of a member leaves a gap.
    struct EtcdFollower: Sendable {
        let reader: EtcdReader
        let mirror: EtcdMirror

        private enum End: Sendable {
            /// A new watch has to begin.
            case interrupted
            /// The state has to be loaded again.
            case contradiction
        }

        /// How often to verify the watch.
        private static let interval = Duration.milliseconds(500)

        /// Follows until the state has to be loaded again, or the task is cancelled.
        func run() async {
            while !Task.isCancelled {
                let start = ContinuousClock.now
                do throws(StoreError) {
                    guard let moment = try await catchUp() else { break }
                    if await follow(from: moment + 1) == .contradiction { break }
                } catch {
                    // Writes and health checks report it.
                }
                // Pause, since members may refuse at once.
                try? await Task.sleep(until: start + .milliseconds(200))
            }
            if !Task.isCancelled { mirror.forget() }
        }

        /// Reads the log to its end.
        ///
        /// - Returns: the revision of etcd at its end; `nil` if the log does not continue the state.
        private func catchUp() async throws(StoreError) -> Int64? {
            while true {
                guard let known = mirror.cursor else { return nil }
                let news = try await reader.news(after: known.revision)
                guard let head = news.head, head.cursor.epoch == known.epoch, head.cursor.revision >= known.revision,
                    mirror.apply(news.records) == .done
                else { return nil }
                if !news.hasMore { return mirror.revision >= head.cursor.revision ? news.revision : nil }
            }
        }

        private func follow(from moment: Int64) async -> End {
            let watched = EtcdProgress(mirror.revision)
            let member = reader.client.member
            return await withTaskGroup { group in
                group.addTask { await watch(from: moment, at: member, watched) }
                group.addTask { await verify(watched) }
                let end = await group.next() ?? .interrupted
                group.cancelAll()
                reader.client.leave(member)
                return end
            }
        }

        private func watch(from moment: Int64, at member: Int, _ watched: EtcdProgress) async -> End {
            var end = End.interrupted
            do throws(EtcdFailure) {
                try await reader.client.watch(reader.layout.log(), from: moment, at: member) { message in
                    do throws(StoreError) {
                        let records = try message.pairs.map { (pair) throws(StoreError) in try reader.record(pair) }
                        let result = mirror.apply(records)
                        if result == .contradiction { end = .contradiction }
                        if let last = records.last?.batch.last { watched.reach(last) }
                        return result == .done
                    } catch {
                        end = .contradiction
                        return false
                    }
                }
            } catch {
                // Whatever it was, the next watch begins at the end of the log.
            }
            return end
        }

        /// Verifies that the watch has received all that the log had last time.
        private func verify(_ watched: EtcdProgress) async -> End {
            var expected: UInt64 = 0
            while (try? await Task.sleep(for: Self.interval)) != nil {
                let isBehind = watched.revision < expected
                do throws(StoreError) {
                    guard try await catchUp() != nil else { return .contradiction }
                    expected = mirror.revision
                } catch {
                    continue
                }
                if isBehind { return .interrupted }
            }
            return .interrupted
        }
    }

    /// How far a watch has followed the log.
    private final class EtcdProgress: Sendable {
        private let storage: Mutex<UInt64>

        init(_ revision: UInt64) { storage = Mutex(revision) }

        /// The highest revision that it has received.
        var revision: UInt64 { storage.withLock { $0 } }

        func reach(_ revision: UInt64) { storage.withLock { $0 = max($0, revision) } }
    }
#endif
