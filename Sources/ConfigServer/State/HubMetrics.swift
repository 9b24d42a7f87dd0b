internal import Metrics

/// What the hub counts.
struct HubMetrics: Sendable {
    private let commitDuration = Metrics.Timer(label: "livery_commit_duration_seconds")
    private let batchSize = Recorder(label: "livery_commit_batch_size")
    private let commits = Counter(label: "livery_commits_total")
    private let failures = Counter(label: "livery_commit_failures_total")
    private let revision = Gauge(label: "livery_revision")

    /// A batch has been committed.
    func committed(_ publishes: Int, in duration: Duration) {
        let (seconds, attoseconds) = duration.components
        commitDuration.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        batchSize.record(publishes)
        commits.increment(by: publishes)
    }

    /// A batch was refused by the store.
    func failed() { failures.increment() }

    /// The store's head is this revision now.
    func reached(_ revision: UInt64) { self.revision.record(revision) }
}
