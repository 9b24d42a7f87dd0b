// SPDX-License-Identifier: Apache-2.0

#if Etcd
    internal import ConfigStore

    /// The number of keys per read: more from page to page, fewer for large values.
    struct EtcdPage: Sendable {
        /// The number of records of the maximum size that fit into one response.
        static let safeCount = 8
        static let maximumCount = 96

        private(set) var count = safeCount

        mutating func grow() { count = min(count * 2, Self.maximumCount) }

        /// - Returns: whether a smaller page is possible.
        mutating func shrink() -> Bool {
            defer { count = max(1, count / 4) }
            return count > 1
        }
    }

    /// The revisions of one namespace, read from the log newest first.
    ///
    /// Each revision names the one of its namespace before it, so the records of other namespaces between the two are
    /// skipped, unless they are so small that reading them costs less than another request.
    struct EtcdTrail {
        /// The newest revision that has not been read yet; 0 if there are no more.
        private(set) var next: UInt64
        private let namespace: String
        private let session: EtcdSession
        private var page = EtcdPage()
        /// The number of revisions per read.
        private var window = 1

        /// - Parameter newest: a revision of the namespace; 0 if it has none.
        init(of namespace: String, from newest: UInt64, in session: EtcdSession) {
            (self.namespace, next, self.session) = (namespace, newest, session)
        }

        /// Reads the next revisions.
        ///
        /// - Returns: at least one, newest first; `nil` if the log does not have it any more.
        mutating func read() async throws(StoreError) -> [EtcdRevision]? {
            let (next, window) = (next, window)
            let records = try await records { count in
                let first = next - min(next, UInt64(min(window, count) - 1))
                return (first, next)
            }
            let found = revisions(in: records).filter { $0.revision <= next }
            let isWhole = zip(found, found.dropFirst()).allSatisfy { $0.previous == $1.revision }
            guard let oldest = found.last, found.first?.revision == next, isWhole, oldest.previous < oldest.revision
            else { return nil }
            self.next = oldest.previous
            let gap = oldest.revision - oldest.previous
            self.window = Self.isWorthReading(gap, records) ? min(window * 2, EtcdPage.maximumCount) : 1
            return found
        }

        /// Continues before a revision, as far as a look at the log there shows where that is.
        mutating func skip(to revision: UInt64) async throws(StoreError) {
            guard revision < next else { return }
            let records = try await records { count in (revision - min(revision, UInt64(count - 1)), revision) }
            let found = revisions(in: records)
            if let before = found.first(where: { $0.revision < revision }) {
                next = before.revision
            } else if let after = found.last {
                next = after.previous
            }
        }

        /// Whether to read through a number of revisions, judging by the records read so far.
        private static func isWorthReading(_ count: UInt64, _ records: [EtcdBatch]) -> Bool {
            let (bytes, revisions) = records.reduce((0, 0)) { ($0.0 + $1.size, $0.1 + $1.revisions.count) }
            return count <= UInt64(EtcdPage.maximumCount / 2) && Int(count) * bytes / max(1, revisions) <= 64 * 1024
        }

        /// The revisions of the namespace, newest first.
        private func revisions(in records: [EtcdBatch]) -> [EtcdRevision] {
            records.reversed().flatMap { $0.revisions.reversed().filter { $0.namespace == namespace } }
        }

        /// The records of some revisions, oldest first: that of the last one may include later revisions.
        private mutating func records(
            _ bounds: (_ count: Int) -> (first: UInt64, last: UInt64)
        ) async throws(StoreError) -> [EtcdBatch] {
            let layout = session.layout
            let answer = try await session.read(&page) { count in
                let (first, last) = bounds(count)
                let end = EtcdRequest.Operation.range(layout.log(from: last), limit: 1)
                return first < last ? [end, .range(layout.log(from: first, through: last - 1))] : [end]
            }
            return try session.records(in: answer.range(1)) + session.records(in: answer.range(0))
        }
    }
#endif
