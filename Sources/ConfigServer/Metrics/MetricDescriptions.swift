// SPDX-License-Identifier: Apache-2.0

extension PrometheusRegistry {
    /// The server's metrics by name, each with its help text. `Documentation/Server.md` has the same list.
    static let help = [
        "livery_answer_bytes": "Bytes of unshared responses waiting to be sent.",
        "livery_backup_last_success_timestamp_seconds": "Time of the last successful backup; 0 if there was none.",
        "livery_body_bytes": "Bytes of request bodies in memory.",
        "livery_build_info": "Constant 1, labelled with the version of the server.",
        "livery_commit_batch_size": "Number of writes per commit batch.",
        "livery_commit_duration_seconds": "Duration of commit batches in the store.",
        "livery_commit_failures_total": "Commit batches that failed.",
        "livery_commits_total": "Writes submitted to the store.",
        "livery_connections_limit": "Maximum number of open connections.",
        "livery_connections_open": "Number of open connections.",
        "livery_draft_approval_seconds": "Time from the last edit of a draft to an approval.",
        "livery_drafts": "Number of open drafts, by their status.",
        "livery_http_request_duration_seconds": "Duration of HTTP requests.",
        "livery_http_requests_total": "HTTP requests by route and status.",
        "livery_namespace_bytes": "Size of the entries, schemas and rules of a namespace, in bytes of JSON.",
        "livery_namespace_bytes_limit": "Maximum size of a namespace, in bytes of JSON.",
        "livery_namespace_keys": "Number of keys, schemas and rules in a namespace.",
        "livery_namespace_keys_limit": "Maximum number of keys, schemas and rules in a namespace.",
        "livery_namespaces": "Number of namespaces with keys.",
        "livery_namespaces_limit": "Maximum number of namespaces with keys.",
        "livery_ready": "1 if the store was readable and writable at the last check, else 0.",
        "livery_revision": "Current revision of the store.",
        "livery_store_lag_revisions": "Revisions in the store not yet loaded by the server at the last check.",
        "livery_streams_dropped_total": "Streams closed because the client did not read.",
        "livery_streams_open": "Number of open streams.",
        "livery_tokens_refused_total": "Requests rejected because of the token, by status.",
        "livery_upkeep_failures_total": "Failed maintenance tasks of the store, by task.",
        "process_cpu_seconds_total": "CPU time used by the process.",
        "process_max_fds": "Maximum number of open files.",
        "process_open_fds": "Number of open files.",
        "process_resident_memory_bytes": "Resident memory of the process.",
        "process_start_time_seconds": "Start time of the process, in seconds since 1970.",
    ]
}
