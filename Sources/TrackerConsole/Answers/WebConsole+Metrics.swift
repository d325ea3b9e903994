import FoundationEssentials
import TrackerConfig

extension WebConsole {
    /// The metrics for Prometheus: the status and the counters as numbers.
    var metrics: ConsoleResponse {
        let status = setup.status
        var text = MetricsText(helps)
        text.addProcess(status)
        text.addDocument(status)
        text.addRollout(status)
        text.addTrackers(status, setup)
        text.addFeatures(status, setup)
        return ConsoleResponse(
            200, [HTTPHeader(name: "Content-Type", value: "text/plain; version=0.0.4; charset=utf-8")],
            .bytes(Array(text.text.utf8)))
    }
}

/// The maximum number of trackers, and of features, with series.
private let maxNames = 1000

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
    trackers: Trackers. The first \(maxNames) by namespace have metrics of their own.
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
    feature_evaluations_total: Evaluations by reason, of the first \(maxNames) features by name. Plain values are not counted.
    feature_read_failures_total: Values that could not be read as the type that was asked for.
    feature_unknown_names_total: Reads and overrides of features, variables, experiments and variants that no source has.
    experiment_exposures_total: Exposures of experiments, by outcome.
    experiment_assignments_total: Sticky assignments of experiments, by outcome.
    experiment_store_failures_total: Failed calls of the store of assignments.
    """

extension MetricsText {
    fileprivate mutating func addProcess(_ status: SetupStatus) {
        let (process, lines) = (status.process, status.lines)
        let info: Labels = [
            ("service", process.service), ("host", process.host), ("process_id", "\(process.processID)"),
            ("sdk_version", process.sdkVersion), ("instance_id", process.instanceID ?? ""),
        ]
        add("process_info", [Sample(labels: info, value: 1)])
        add("start_time_seconds", process.startTime.timeIntervalSince1970)
        add("healthy", status.isHealthy)
        let counts = StatusLine.Level.allCases.flatMap { level in
            NamedCode<StatusLine>.all.map { topic in
                let count = lines.count { $0.level == level && $0.topic == topic }
                return Sample(labels: [("level", level.rawValue), ("topic", topic.rawValue)], value: Double(count))
            }
        }
        add("status_lines", counts)
    }

    fileprivate mutating func addDocument(_ status: SetupStatus) {
        typealias Kind = NamedCode<ConfigurationOutcome>
        let document = status.document
        let info: Labels = [
            ("version", document.version.map { "\($0)" } ?? ""),
            ("state", (document.state?.rawValue ?? "none").snakeCase), ("source", document.source ?? ""),
        ]
        add("document_version", document.version.map(Double.init))
        add("document_info", [Sample(labels: info, value: 1)])
        add("document_applied_timestamp_seconds", document.since?.timeIntervalSince1970)
        add("document_stale", document.staleSince != nil)
        add("document_warnings", document.warnings.count)
        let changes: [Kind] = [.applied, .rejected, .reverted, .held]
        add("document_last_change_timestamp_seconds", by: "kind", of: changes, \.rawValue) {
            status.last($0)?.lastTime.timeIntervalSince1970
        }
        let pending: [Kind] = [.rejected, .held, .stale, .unchanged]
        add("document_pending", by: "kind", of: pending, \.snakeCase) { $0 == status.pending?.kind ? 1 : 0 }
        let known: [Kind] = [.applied, .notModified, .unchanged, .stale, .held, .rejected, .failed]
        let outcomes = Set(known).union(status.fetches.keys).sorted { $0.rawValue < $1.rawValue }
        add("fetches_total", by: "outcome", of: outcomes, \.snakeCase) { Double(status.fetches[$0] ?? 0) }
        add("last_fetch_timestamp_seconds", status.lastFetchTime?.timeIntervalSince1970)
        add("fetch_outage_seconds", status.age(of: status.outage?.firstTime))
        guard let streaming = status.streaming else { return }
        add("stream_connected", streaming.connectedSince != nil)
        add("stream_reconnects_total", streaming.reconnections)
    }

    fileprivate mutating func addRollout(_ status: SetupStatus) {
        typealias State = NamedCode<RolloutStatus>
        let current = status.rollout?.state ?? State.none
        let states: [State] = [.baking, .passed, .reverted, .none]
        add("rollout_state", by: "state", of: states, \.rawValue) { $0 == current ? 1 : 0 }
        guard let rollout = status.rollout else { return }
        // Either the state of the canary, or that the document is held back.
        let isHeld = rollout.state == .none && rollout.version != status.document.version
        let labels: Labels = [
            ("version", "\(rollout.version)"), ("state", isHeld ? "held" : rollout.state.rawValue),
        ]
        add("rollout_ratio", [Sample(labels: labels, value: rollout.percent / 100)])
        add("rollout_included", rollout.isIncluded)
        let rates = rollout.trackers.sorted { $0.key < $1.key }.prefix(maxNames).flatMap { namespace, rates in
            [("before", rates.failureRateBefore), ("after", rates.failureRateAfter)].compactMap { when, rate in
                rate.map { Sample(labels: [("namespace", namespace), ("when", when)], value: $0) }
            }
        }
        add("rollout_failure_ratio", rates)
    }

    fileprivate mutating func addTrackers(_ status: SetupStatus, _ setup: Setup) {
        add("trackers", status.trackers.count)
        let trackers = status.trackers.prefix(maxNames)
        func each(_ name: String, _ value: (TrackerStatus) -> Double?) {
            add(name, by: "namespace", of: trackers, \.namespace, value)
        }
        func each(_ name: String, by label: String, _ values: (TrackerStatus) -> [(String, Sample)]) {
            add(
                name,
                trackers.flatMap { tracker in
                    values(tracker).map { text, sample in
                        let labels = [("namespace", tracker.namespace), (label, text)]
                        return Sample(labels: labels, value: sample.value, durations: sample.durations)
                    }
                })
        }
        each("events_tracked_total") { Double($0.counters.tracked) }
        each("events_sent_total") { Double($0.counters.sent) }
        each("events_retried_total") { Double($0.counters.retried) }
        each("events_sampled_out_total") { Double($0.counters.sampledOut) }
        each("events_dropped_total", by: "reason") { tracker in
            DropReason.allCases.map { reason in
                (reason.rawValue.snakeCase, Sample(value: Double(tracker.counters.droppedByReason[reason] ?? 0)))
            }
        }
        each("events_waiting") { Double($0.waiting) }
        each("events_set_aside") { Double($0.setAside) }
        each("oldest_event_age_seconds") { status.age(of: $0.oldestEventTime) }
        each("event_store_used_bytes") { Double($0.storeUsedBytes) }
        each("event_store_capacity_bytes") { $0.storeCapacityBytes.map(Double.init) }
        each("event_store_capacity_events") { $0.storeCapacityEvents.map(Double.init) }
        each("tracker_failing") { $0.isFailing ? 1 : 0 }
        each("tracker_consecutive_failures") { Double($0.consecutiveFailures) }
        each("tracker_paused") { $0.isPaused ? 1 : 0 }
        each("tracker_last_success_timestamp_seconds") { $0.lastSuccessTime?.timeIntervalSince1970 }
        each("event_values_truncated_total") { Double($0.counters.truncated) }
        each("event_schemas_malformed_total") { Double($0.counters.malformedSchemas) }
        each("incomplete_responses_total") { Double($0.counters.incompleteResponses) }
        each("dead_letter_failures_total") { Double($0.counters.deadLetterFailures) }
        each("requests_total", by: "code") { tracker in
            // Start at 0, so that the first requests count in a rate.
            let codes = tracker.counters.requestsByCode.map { ($0.key.snakeCase, $0.value) } + [("200", 0)]
            return Dictionary(codes, uniquingKeysWith: +).sorted { $0.key < $1.key }
                .map { ($0.key, Sample(value: Double($0.value))) }
        }
        let all = setup.registry.trackers
        each("request_duration_seconds", by: "outcome") { status in
            guard let tracker = all[status.namespace] else { return [] }
            return [("success", false), ("failure", true)].map { outcome, ofFailures in
                (outcome, Sample(durations: tracker.requestDurations(ofFailures: ofFailures)))
            }
        }
        add("unclaimed_events", setup.unclaimedEvents.values.reduce(0, +))
        add("events_memory_only_total", setup.memoryOnlyEvents)
        add("untracked_total", status.untracked)
    }

    fileprivate mutating func addFeatures(_ status: SetupStatus, _ setup: Setup) {
        let usages = setup.features.usage
        add("features", usages.count)
        add("overrides", status.overrides.count)
        add("override_age_seconds", status.age(of: status.overrides.compactMap(\.time).min()))
        let evaluations = usages.prefix(maxNames).flatMap { usage in
            usage.evaluations.sorted { $0.key.rawValue < $1.key.rawValue }.map { reason, count in
                let labels = [("feature", usage.feature), ("result", reason.rawValue.snakeCase)]
                return Sample(labels: labels, value: Double(count))
            }
        }
        add("feature_evaluations_total", evaluations)
        add("feature_read_failures_total", setup.features.readFailures)
        add("feature_unknown_names_total", setup.features.unknownNames)
        let counters = setup.experiments.counters
        let exposures = [
            ("tracked", counters.exposuresTracked), ("lost", counters.exposuresLost),
            ("evicted", counters.exposuresEvicted),
        ]
        add("experiment_exposures_total", by: "outcome", of: exposures, \.0) { Double($0.1) }
        let assignments = [
            ("stored", counters.assignmentsStored), ("lost", counters.assignmentsLost),
            ("evicted", counters.assignmentsEvicted),
        ]
        add("experiment_assignments_total", by: "outcome", of: assignments, \.0) { Double($0.1) }
        add("experiment_store_failures_total", counters.storeFailures)
    }
}

extension SetupStatus {
    /// The age of a time in seconds; 0 if the time is missing, or in the future because the clock was turned back.
    fileprivate func age(of time: Date?) -> Double { time.map { max(0, self.time.timeIntervalSince($0)) } ?? 0 }
}
