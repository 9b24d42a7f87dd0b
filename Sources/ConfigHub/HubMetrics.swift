// SPDX-License-Identifier: Apache-2.0

internal import Metrics

/// The metrics of commits.
struct HubMetrics: Sendable {
    private let commitDuration = Metrics.Timer(label: "livery_commit_duration_seconds")
    private let batchSize = Recorder(label: "livery_commit_batch_size")
    private let commits = Counter(label: "livery_commits_total")
    private let failures = Counter(label: "livery_commit_failures_total")
    private let revision = Gauge(label: "livery_revision")

    func committed(_ publishes: Int, in duration: Duration) {
        commitDuration.record(duration: duration)
        batchSize.record(publishes)
        commits.increment(by: publishes)
    }

    func failed() { failures.increment() }

    func reached(_ revision: UInt64) { self.revision.record(revision) }
}
