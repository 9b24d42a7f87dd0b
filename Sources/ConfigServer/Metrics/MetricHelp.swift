/// What each of the server's metrics tells. `Documentation/Server.md` has the same list.
enum MetricHelp {
    /// The texts by name.
    static let texts: [String: String] = [
        "livery_commit_batch_size": "Writes that shared one fsync.",
        "livery_commit_duration_seconds": "How long the store took for a batch of writes.",
        "livery_commit_failures_total": "Batches of writes that the store refused.",
        "livery_commits_total": "Writes that the store was asked for.",
        "livery_connections_open": "Connections that are open.",
        "livery_http_request_duration_seconds": "How long answers took.",
        "livery_http_requests_total": "Requests by route and status.",
        "livery_revision": "The revision that the store is at.",
        "livery_streams_dropped_total": "Streams that were ended because their client took nothing.",
        "livery_streams_open": "Streams that are open.",
        "process_resident_memory_bytes": "Memory that the process takes.",
    ]
}
