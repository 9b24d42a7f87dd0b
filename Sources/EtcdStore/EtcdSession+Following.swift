// SPDX-License-Identifier: Apache-2.0

#if Etcd
    internal import ConfigModel
    internal import ConfigStore
    internal import Synchronization

    /// A session keeps its mirror up to date with the commits of other servers.
    ///
    /// A watch receives each record at once. Twice a second the log is read to verify that the watch has missed nothing:
    /// so a watch on a member that is paused or partitioned is detected, and replaced. The log is read to its end before
    /// a watch begins, so that neither etcd's compaction nor the loss of a member leaves a gap.
    extension EtcdSession {
        /// Follows until the state has to be loaded again, or the task is cancelled.
        func follow() async {
            while !Task.isCancelled {
                let start = ContinuousClock.now
                do throws(StoreError) {
                    guard let moment = try await catchUp() else { break }
                    guard await watchAndVerify(from: moment + 1) else { break }
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
        /// - Returns: etcd's revision at the end; `nil` if the log does not continue the state.
        func catchUp() async throws(StoreError) -> Int64? {
            guard let known = mirror.cursor else { return nil }
            var page = EtcdPage()
            return try await catchUp(with: try await news(after: known.revision, &page), after: known)
        }

        /// The same, if the first changes since a state are known.
        func catchUp(with news: News, after known: RevisionCursor) async throws(StoreError) -> Int64? {
            var (news, page) = (news, EtcdPage())
            while true {
                guard let head = news.head, head.cursor.epoch == known.epoch, head.cursor.revision >= known.revision,
                    mirror.apply(news.records)
                else { return nil }
                guard news.hasMore, let last = news.records.last?.last else {
                    return mirror.revision >= head.cursor.revision ? news.moment : nil
                }
                news = try await self.news(after: last, &page)
            }
        }

        /// Watches until a new watch has to begin, or the log does not continue the state.
        ///
        /// - Returns: whether it does; otherwise the state has to be loaded again.
        private func watchAndVerify(from moment: Int64) async -> Bool {
            mirror.watched.store(mirror.revision, ordering: .relaxed)
            let member = client.member
            return await withTaskGroup { group in
                group.addTask { await watch(from: moment, at: member) }
                group.addTask { await verify() }
                let isNext = await group.next() ?? true
                group.cancelAll()
                client.leave(member)
                return isNext
            }
        }

        private func watch(from moment: Int64, at member: Int) async -> Bool {
            var isNext = true
            do throws(EtcdFailure) {
                try await client.watch(layout.log(), from: moment, at: member) { message in
                    do throws(StoreError) {
                        let known = mirror.revision
                        let revisions = message.pairs.compactMap { layout.revision(ofLog: $0.key) }
                        // Most are this server's own.
                        let news = message.pairs.filter { layout.revision(ofLog: $0.key).map { $0 > known } ?? true }
                        isNext = mirror.apply(try news.map { (pair) throws(StoreError) in try record(pair) })
                        if let last = revisions.last { _ = mirror.watched.max(last, ordering: .relaxed) }
                        return isNext
                    } catch {
                        isNext = false
                        return false
                    }
                }
            } catch {
                // In any case, the next watch begins at the end of the log.
            }
            return isNext
        }

        /// Verifies that the watch has received all that the log had last time.
        private func verify() async -> Bool {
            var expected: UInt64 = 0
            while (try? await Task.sleep(for: .milliseconds(500))) != nil {
                let isBehind = mirror.watched.load(ordering: .relaxed) < expected
                do throws(StoreError) {
                    guard try await catchUp() != nil else { return false }
                    expected = mirror.revision
                } catch {
                    continue
                }
                if isBehind { return true }
            }
            return true
        }
    }
#endif
