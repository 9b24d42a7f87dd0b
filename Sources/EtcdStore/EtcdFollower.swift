#if Etcd
    internal import ConfigModel
    internal import ConfigStore
    internal import Synchronization

    /// Keeps the mirror up to date with what other servers commit.
    ///
    /// A watch tells of each record as soon as it is there. Whether the watch has told everything is asked twice a second:
    /// so a watch is found out that hangs on a member that is paused or cut off from the others, and what it has left out
    /// is read from the log. Wherever a watch begins, the log has been read to its end, so that neither etcd's compaction
    /// nor the loss of a member leaves a gap.
    struct EtcdFollower: Sendable {
        let reader: EtcdReader
        let mirror: EtcdMirror

        private enum End: Sendable {
            /// There is a reason to begin a new watch.
            case interrupted
            /// The state has to be loaded anew.
            case contradiction
        }

        /// How often is asked whether the watch has told everything.
        private static let interval = Duration.milliseconds(500)

        /// Follows until the state has to be loaded anew, or the task is cancelled.
        func run() async {
            while !Task.isCancelled {
                let start = ContinuousClock.now
                do throws(StoreError) {
                    guard let moment = try await catchUp() else { break }
                    if await follow(from: moment + 1) == .contradiction { break }
                } catch {
                    // Those who write and those who look at the health are told of it.
                }
                // Members that refuse at once are not asked without a pause.
                try? await Task.sleep(until: start + .milliseconds(200))
            }
            if !Task.isCancelled { mirror.forget() }
        }

        /// Reads the log to its end.
        ///
        /// - Returns: etcd's revision up to which it has been read; `nil` if it does not follow the state.
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
                        let reception = mirror.apply(records)
                        if reception == .contradiction { end = .contradiction }
                        if let last = records.last?.batch.last { watched.reach(last) }
                        return reception == .done
                    } catch {
                        end = .contradiction
                        return false
                    }
                }
            } catch {
                // Whatever it is, the next watch begins where the log ends.
            }
            return end
        }

        /// Looks whether the watch has told of everything that was there at the last look.
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

    /// How far a watch has told of the log.
    private final class EtcdProgress: Sendable {
        private let storage: Mutex<UInt64>

        init(_ revision: UInt64) { storage = Mutex(revision) }

        /// The highest revision that it has told of.
        var revision: UInt64 { storage.withLock { $0 } }

        func reach(_ revision: UInt64) { storage.withLock { $0 = max($0, revision) } }
    }
#endif
