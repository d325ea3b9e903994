import FoundationEssentials

extension Setup {
    /// The maximum number of trackers, and of features, with metrics of their own.
    package static let maxMetricNames = 1000

    /// The status and the counters as numbers, with the names that Prometheus reads from the console.
    ///
    /// The dashboard and the alerts of `Examples/Monitoring` use these names with the prefix `trackerconfig_`.
    public var metrics: [Metric] {
        let status = status
        var list = MetricList()
        list.addProcess(status)
        list.addDocument(status)
        list.addRollout(status)
        list.addTrackers(status, self)
        list.addFeatures(status, self)
        return list.metrics
    }
}

/// The metrics of one moment.
private struct MetricList {
    private(set) var metrics: [Metric] = []

    /// Adds a metric; nil leaves it out.
    mutating func add(_ name: String, _ value: Double?, _ labels: (name: String, value: String)...) {
        if let value { metrics.append(Metric(name, value, labels)) }
    }

    mutating func add(_ name: String, _ count: Int, _ labels: (name: String, value: String)...) {
        metrics.append(Metric(name, Double(count), labels))
    }

    mutating func add(_ name: String, _ isTrue: Bool) { add(name, isTrue ? 1 : 0) }

    /// Adds a metric for each of the keys; a key without a value is left out.
    mutating func add<Key>(
        _ name: String, by label: String, of keys: some Sequence<Key>, _ text: (Key) -> String,
        _ value: (Key) -> Double?
    ) {
        for key in keys { add(name, value(key), (label, text(key))) }
    }

    mutating func addProcess(_ status: SetupStatus) {
        let (process, lines) = (status.process, status.lines)
        add(
            "process_info", 1, ("service", process.service), ("host", process.host),
            ("process_id", "\(process.processID)"), ("sdk_version", process.sdkVersion),
            ("instance_id", process.instanceID ?? ""))
        add("start_time_seconds", process.startTime.timeIntervalSince1970)
        add("healthy", status.isHealthy)
        for level in StatusLine.Level.allCases {
            for topic in NamedCode<StatusLine>.all {
                let count = lines.count { $0.level == level && $0.topic == topic }
                add("status_lines", count, ("level", level.rawValue), ("topic", topic.rawValue))
            }
        }
    }

    mutating func addDocument(_ status: SetupStatus) {
        typealias Kind = NamedCode<ConfigurationOutcome>
        let document = status.document
        add("document_version", document.version.map(Double.init))
        add(
            "document_info", 1, ("version", document.version.map { "\($0)" } ?? ""),
            ("state", (document.state?.rawValue ?? "none").snakeCase), ("source", document.source ?? ""))
        add("document_applied_timestamp_seconds", document.since?.timeIntervalSince1970)
        add("document_stale", document.staleSince != nil)
        add("document_warnings", document.warnings.count)
        let changes: [Kind] = [.applied, .rejected, .reverted, .held]
        add("document_last_change_timestamp_seconds", by: "kind", of: changes, \.rawValue) {
            status.last($0)?.lastTime.timeIntervalSince1970
        }
        let pending: [Kind] = [.rejected, .held, .stale, .unchanged]
        add("document_pending", by: "kind", of: pending, \.rawValue.snakeCase) { $0 == status.pending?.kind ? 1 : 0 }
        let known: [Kind] = [.applied, .notModified, .unchanged, .stale, .held, .rejected, .failed]
        let outcomes = Set(known).union(status.fetches.keys).sorted { $0.rawValue < $1.rawValue }
        add("fetches_total", by: "outcome", of: outcomes, \.rawValue.snakeCase) { Double(status.fetches[$0] ?? 0) }
        add("last_fetch_timestamp_seconds", status.lastFetchTime?.timeIntervalSince1970)
        add("fetch_outage_seconds", status.age(of: status.outage?.firstTime))
        guard let streaming = status.streaming else { return }
        add("stream_connected", streaming.connectedSince != nil)
        add("stream_reconnects_total", streaming.reconnections)
    }

    mutating func addRollout(_ status: SetupStatus) {
        typealias State = NamedCode<RolloutStatus>
        let current = status.rollout?.state ?? State.none
        let states: [State] = [.baking, .passed, .reverted, .none]
        add("rollout_state", by: "state", of: states, \.rawValue) { $0 == current ? 1 : 0 }
        guard let rollout = status.rollout else { return }
        // The state of the canary, or why the document is not in use.
        let isHeld = rollout.state == .none && rollout.version != status.document.version
        add(
            "rollout_ratio", rollout.percent / 100, ("version", "\(rollout.version)"),
            ("state", isHeld ? "held" : rollout.state.rawValue))
        add("rollout_included", rollout.isIncluded)
        for (namespace, rates) in rollout.trackers.sorted(by: { $0.key < $1.key }).prefix(Setup.maxMetricNames) {
            for (when, rate) in [("before", rates.failureRateBefore), ("after", rates.failureRateAfter)] {
                add("rollout_failure_ratio", rate, ("namespace", namespace), ("when", when))
            }
        }
    }

    mutating func addTrackers(_ status: SetupStatus, _ setup: Setup) {
        add("trackers", status.trackers.count)
        let trackers = status.trackers.prefix(Setup.maxMetricNames)
        func each(_ name: String, _ value: (TrackerStatus) -> Double?) {
            add(name, by: "namespace", of: trackers, \.namespace, value)
        }
        each("events_tracked_total") { Double($0.counters.tracked) }
        each("events_sent_total") { Double($0.counters.sent) }
        each("events_retried_total") { Double($0.counters.retried) }
        each("events_sampled_out_total") { Double($0.counters.sampledOut) }
        for tracker in trackers {
            for reason in DropReason.allCases {
                add(
                    "events_dropped_total", tracker.counters.droppedByReason[reason] ?? 0,
                    ("namespace", tracker.namespace), ("reason", reason.rawValue.snakeCase))
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
        for tracker in trackers {
            // From 0 on, so that the first requests count in a rate too.
            let codes = tracker.counters.requestsByCode.map { ($0.key.snakeCase, $0.value) } + [("200", 0)]
            for (code, count) in Dictionary(codes, uniquingKeysWith: +).sorted(by: { $0.key < $1.key }) {
                add("requests_total", count, ("namespace", tracker.namespace), ("code", code))
            }
        }
        add("unclaimed_events", setup.unclaimedEvents.values.reduce(0, +))
        add("events_memory_only_total", setup.memoryOnlyEvents)
        add("untracked_total", status.untracked)
    }

    mutating func addFeatures(_ status: SetupStatus, _ setup: Setup) {
        let usages = setup.features.usage
        add("features", usages.count)
        add("overrides", status.overrides.count)
        add("override_age_seconds", status.age(of: status.overrides.compactMap(\.time).min()))
        for usage in usages.prefix(Setup.maxMetricNames) {
            for (reason, count) in usage.evaluations.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                add(
                    "feature_evaluations_total", count, ("feature", usage.feature),
                    ("result", reason.rawValue.snakeCase))
            }
        }
        add("feature_read_failures_total", setup.features.readFailures)
        add("feature_unknown_names_total", setup.features.unknownNames)
        let counters = setup.experiments.counters
        let exposures = [
            ("tracked", counters.exposuresTracked), ("lost", counters.exposuresLost),
            ("evicted", counters.exposuresEvicted),
        ]
        for (outcome, count) in exposures { add("experiment_exposures_total", count, ("outcome", outcome)) }
        let assignments = [
            ("stored", counters.assignmentsStored), ("lost", counters.assignmentsLost),
            ("evicted", counters.assignmentsEvicted),
        ]
        for (outcome, count) in assignments { add("experiment_assignments_total", count, ("outcome", outcome)) }
        add("experiment_store_failures_total", counters.storeFailures)
    }
}

extension SetupStatus {
    /// The age of a time in seconds; 0 if the time is missing, or in the future because the clock was turned back.
    fileprivate func age(of time: Date?) -> Double { time.map { max(0, self.time.timeIntervalSince($0)) } ?? 0 }
}
