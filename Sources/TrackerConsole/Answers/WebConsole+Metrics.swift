import TrackerConfig

extension WebConsole {
    /// The metrics for Prometheus: the status and the counters as numbers.
    var metrics: ConsoleResponse {
        var text = MetricsText(helps)
        for metric in setup.metrics { text.add(metric) }
        for tracker in setup.registry.trackers.values.sorted(by: { $0.namespace < $1.namespace })
            .prefix(Setup.maxMetricNames)
        {
            for (outcome, isFailure) in [("success", false), ("failure", true)] {
                text.add(
                    tracker.requestDurations(ofFailures: isFailure), "request_duration_seconds",
                    [("namespace", tracker.namespace), ("outcome", outcome)])
            }
        }
        return ConsoleResponse(
            200, [HTTPHeader(name: "Content-Type", value: "text/plain; version=0.0.4; charset=utf-8")],
            .bytes(Array(text.text.utf8)))
    }
}

/// The metrics with their descriptions.
private let helps = """
    process_info: The process that the metrics are of.
    start_time_seconds: When the setup was made, in seconds since 1970.
    healthy: Whether a document or the default is in use and the setup runs.
    status_lines: The sentences of the status, as the console shows them.
    document_version: The version in use; missing if it has none.
    document_info: The document in use; its state is none before there is one.
    document_applied_timestamp_seconds: When the version in use was applied, in seconds since 1970.
    document_stale: Whether the document may be out of date: neither a fetch nor the stream has reached its source lately.
    document_warnings: Warnings of the document in use.
    document_last_change_timestamp_seconds: When a document last was applied, rejected, reverted or held back, in seconds since 1970.
    document_pending: Why the document that the source serves is not in use: 1 for the reason, all 0 if it is in use.
    fetches_total: Fetches of the document, by outcome.
    last_fetch_timestamp_seconds: When the last fetch ended, in seconds since 1970.
    fetch_outage_seconds: For how long all fetches have failed; 0 without an outage.
    stream_connected: Whether the stream of changes is open; missing if the source has none.
    stream_reconnects_total: Connections of the stream of changes after the first one.
    rollout_state: The state of the canary: 1 for the state that it is in.
    rollout_ratio: The share of the fleet that the document is for, 0 to 1. The state held is of one for other instances.
    rollout_included: Whether the document is for this instance.
    rollout_failure_ratio: The share of failed requests before the document and with it, 0 to 1.
    trackers: Trackers. The first \(Setup.maxMetricNames) by namespace have metrics of their own.
    events_tracked_total: Tracked events.
    events_sent_total: Events that a collector accepted.
    events_retried_total: Events that were kept after a failed request; each attempt counts.
    events_sampled_out_total: Events that sampling left out, which are neither tracked nor dropped.
    events_dropped_total: Events that are never sent, by reason.
    events_waiting: Events that wait to be sent.
    events_set_aside: Waiting events that fail although others are delivered.
    oldest_event_age_seconds: The age of the oldest waiting event; 0 if no event waits.
    event_store_used_bytes: The payloads of the waiting events.
    event_store_capacity_bytes: The most bytes of waiting events; above it the oldest are dropped. In memory all trackers share it.
    event_store_capacity_events: The most waiting events; above it the oldest are dropped.
    tracker_failing: Whether requests to the collector fail.
    tracker_consecutive_failures: Passes that failed in a row.
    tracker_paused: Whether the tracker or its emitter is paused.
    tracker_last_success_timestamp_seconds: When the collector last took events, in seconds since 1970; missing before the first.
    event_values_truncated_total: Values of events that were cut or left out, as too long.
    event_schemas_malformed_total: Schemas of events and entities that are no Iglu URIs.
    incomplete_responses_total: Responses whose head said success and whose body did not come; their events count as sent.
    dead_letter_failures_total: Dropped events that could not be kept as dead letters.
    requests_total: Requests to collectors by the status of the response, or by the failure without one, such as timeout.
    request_duration_seconds: How long requests to collectors took, by outcome: success is a status of 200 to 299.
    unclaimed_events: Events of namespaces that no running process has.
    events_memory_only_total: Events that waited in memory only, where a kill would have lost them.
    untracked_total: Look-ups of trackers and tracked events whose namespace has no tracker.
    features: Features that are defined or were evaluated.
    overrides: Overrides in effect.
    override_age_seconds: The age of the oldest override in effect; 0 without one.
    feature_evaluations_total: Evaluations by reason, of the first \(Setup.maxMetricNames) features by name. Plain values are not counted.
    feature_read_failures_total: Values that could not be read as the type that was asked for.
    feature_unknown_names_total: Reads and overrides of features, variables, experiments and variants that no source has.
    experiment_exposures_total: Exposures of experiments, by outcome.
    experiment_assignments_total: Sticky assignments of experiments, by outcome.
    experiment_store_failures_total: Failed calls of the store of assignments.
    """
