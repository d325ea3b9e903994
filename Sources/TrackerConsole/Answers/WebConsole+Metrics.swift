import FoundationEssentials
import TrackerConfig

extension WebConsole {
    /// What Prometheus scrapes: the status and the counters as numbers.
    func metrics(accept: String?) -> ConsoleResponse {
        let format = MetricsText.Format(accept: accept)
        let status = setup.status
        var text = MetricsText(format)
        text.addProcess(status)
        text.addDocument(status)
        text.addFetches(status)
        text.addStream(status)
        text.addRollout(status)
        let trackers = setup.registry.trackers
        text.addTrackers(status) { trackers[$0]?.requestDurations(ofFailures: $1) }
        let unclaimed = setup.unclaimedEvents.values.reduce(0, +)
        let help = "Events of namespaces that no running process has."
        text.add("unclaimed_events", .gauge, help, [MetricsText.Sample(unclaimed)])
        let memoryOnly = "Events that waited in memory only, where a kill would have lost them."
        text.add("events_memory_only", .counter, memoryOnly, [MetricsText.Sample(setup.memoryOnlyEvents)])
        let untracked = "Look-ups of trackers and tracked events whose namespace has no tracker."
        text.add("untracked", .counter, untracked, [MetricsText.Sample(status.untracked)])
        text.addFeatures(setup.features, status)
        text.addExperiments(setup.experiments.counters)
        return ConsoleResponse(200, [HTTPHeader(name: "Content-Type", value: format.contentType)], .bytes(text.bytes))
    }
}

extension MetricsText {
    /// The most trackers, and the most features, that there are series of.
    private static let maxNames = 1000

    fileprivate mutating func addProcess(_ status: SetupStatus) {
        let process = status.process
        add(
            "process", .info, "The process that the metrics are of.",
            [
                Sample(
                    1, ("service", process.service), ("host", process.host), ("process_id", "\(process.processID)"),
                    ("sdk_version", process.sdkVersion), ("instance_id", process.instanceID ?? ""))
            ])
        add(
            "start_time_seconds", .gauge, "When the setup was made, in seconds since 1970.",
            [Sample(process.startTime.timeIntervalSince1970)])
        add(
            "healthy", .gauge, "Whether a document or the default is in use and the setup runs.",
            [Sample(status.isHealthy)])
        let lines = status.lines
        let samples = StatusLine.Level.allCases.flatMap { level in
            NamedCode<StatusLine>.all.map { topic in
                Sample(
                    lines.count { $0.level == level && $0.topic == topic }, ("level", level.rawValue),
                    ("topic", topic.rawValue))
            }
        }
        add("status_lines", .gauge, "The sentences of the status, as the console shows them.", samples)
    }

    fileprivate mutating func addDocument(_ status: SetupStatus) {
        let document = status.document
        add("document_version", .gauge, "The version in use; missing if it has none.", Self.optional(document.version))
        add(
            "document", .info, "The document in use; its state is none before there is one.",
            [
                Sample(
                    1, ("version", document.version.map { "\($0)" } ?? ""),
                    ("state", Self.snakeCase(document.state?.rawValue ?? "none")),
                    ("source", document.source ?? ""))
            ])
        add(
            "document_applied_timestamp_seconds", .gauge, "When the version in use was applied, in seconds since 1970.",
            Self.optional(document.since?.timeIntervalSince1970))
        add(
            "document_stale", .gauge,
            "Whether the document may be out of date: neither a fetch nor the stream has reached its source lately.",
            [Sample(document.staleSince != nil)])
        add("document_warnings", .gauge, "Warnings of the document in use.", [Sample(document.warnings.count)])
        let changes: [NamedCode<ConfigurationOutcome>] = [.applied, .rejected, .reverted, .held]
        add(
            "document_last_change_timestamp_seconds", .gauge,
            "When a document last was applied, rejected, reverted or held back, in seconds since 1970.",
            changes.compactMap { kind in
                status.last(kind).map { Sample($0.lastTime.timeIntervalSince1970, ("kind", kind.rawValue)) }
            })
        let pending: [NamedCode<ConfigurationOutcome>] = [.rejected, .held, .stale, .unchanged]
        add(
            "document_pending", .gauge,
            "Why the document that the source serves is not in use: 1 for the reason, all 0 if it is in use.",
            pending.map {
                Sample($0 == status.pending?.kind, ("kind", Self.snakeCase($0.rawValue)))
            })
    }

    fileprivate mutating func addFetches(_ status: SetupStatus) {
        let known: [NamedCode<ConfigurationOutcome>] = [
            .applied, .notModified, .unchanged, .stale, .held, .rejected, .failed,
        ]
        let outcomes = Set(known).union(status.fetches.keys).sorted { $0.rawValue < $1.rawValue }
        add(
            "fetches", .counter, "Fetches of the document, by outcome.",
            outcomes.map {
                Sample(status.fetches[$0] ?? 0, ("outcome", Self.snakeCase($0.rawValue)))
            })
        add(
            "last_fetch_timestamp_seconds", .gauge, "When the last fetch ended, in seconds since 1970.",
            Self.optional(status.lastFetchTime?.timeIntervalSince1970))
        add(
            "fetch_outage_seconds", .gauge, "For how long all fetches have failed; 0 without an outage.",
            [Sample(status.outage.map { status.age(of: $0.firstTime) } ?? 0)])
    }

    fileprivate mutating func addStream(_ status: SetupStatus) {
        guard let streaming = status.streaming else { return }
        add(
            "stream_connected", .gauge, "Whether the stream of changes is open; missing if the source has none.",
            [Sample(streaming.connectedSince != nil)])
        add(
            "stream_reconnects", .counter, "Connections of the stream of changes after the first one.",
            [Sample(streaming.reconnections)])
    }

    fileprivate mutating func addRollout(_ status: SetupStatus) {
        let states: [NamedCode<RolloutStatus>] = [.baking, .passed, .reverted, .none]
        let current = status.rollout?.state ?? NamedCode<RolloutStatus>.none
        add(
            "rollout_state", .gauge, "The state of the canary: 1 for the state that it is in.",
            states.map {
                Sample($0 == current, ("state", $0.rawValue))
            })
        guard let rollout = status.rollout else { return }
        add(
            "rollout_ratio", .gauge,
            "The share of the fleet that the document is for, 0 to 1. The state held is of one for other instances.",
            [
                Sample(
                    rollout.percent / 100, ("version", "\(rollout.version)"),
                    ("state", Self.state(of: rollout, status)))
            ])
        add("rollout_included", .gauge, "Whether the document is for this instance.", [Sample(rollout.isIncluded)])
        let trackers = rollout.trackers.sorted { $0.key < $1.key }.prefix(Self.maxNames)
        add(
            "rollout_failure_ratio", .gauge, "The share of failed requests before the document and with it, 0 to 1.",
            trackers.flatMap { namespace, rates in
                [("before", rates.failureRateBefore), ("after", rates.failureRateAfter)].compactMap { when, rate in
                    rate.map { Sample($0, ("namespace", namespace), ("when", when)) }
                }
            })
    }

    /// The state of the canary, or why the document is not in use.
    private static func state(of rollout: RolloutStatus, _ status: SetupStatus) -> String {
        guard rollout.state == .none, rollout.version != status.document.version else { return rollout.state.rawValue }
        return "held"
    }

    fileprivate mutating func addTrackers(
        _ status: SetupStatus, _ durations: (_ namespace: String, _ ofFailures: Bool) -> DurationHistogram?
    ) {
        add(
            "trackers", .gauge, "Trackers. The first \(Self.maxNames) by namespace have metrics of their own.",
            [Sample(status.trackers.count)])
        let trackers = status.trackers.prefix(Self.maxNames)
        func samples(_ value: (TrackerStatus) -> Double?) -> [Sample] {
            trackers.compactMap { tracker in value(tracker).map { Sample($0, ("namespace", tracker.namespace)) } }
        }
        add("events_tracked", .counter, "Tracked events.", samples { Double($0.counters.tracked) })
        add("events_sent", .counter, "Events that a collector accepted.", samples { Double($0.counters.sent) })
        add(
            "events_retried", .counter, "Events that were kept after a failed request; each attempt counts.",
            samples { Double($0.counters.retried) })
        add(
            "events_sampled_out", .counter, "Events that sampling left out, which are neither tracked nor dropped.",
            samples { Double($0.counters.sampledOut) })
        add(
            "events_dropped", .counter, "Events that are never sent, by reason.",
            trackers.flatMap { tracker in
                DropReason.allCases.map { reason in
                    Sample(
                        tracker.counters.droppedByReason[reason] ?? 0, ("namespace", tracker.namespace),
                        ("reason", Self.snakeCase(reason.rawValue)))
                }
            })
        add("events_waiting", .gauge, "Events that wait to be sent.", samples { Double($0.waiting) })
        add(
            "events_set_aside", .gauge, "Waiting events that fail although others are delivered.",
            samples { Double($0.setAside) })
        add(
            "oldest_event_age_seconds", .gauge, "The age of the oldest waiting event; 0 if no event waits.",
            samples { $0.oldestEventTime.map { status.age(of: $0) } ?? 0 })
        add(
            "event_store_used_bytes", .gauge, "The payloads of the waiting events.",
            samples { Double($0.storeUsedBytes) })
        add(
            "event_store_capacity_bytes", .gauge,
            "The most bytes of waiting events; above it the oldest are dropped. In memory all trackers share it.",
            samples { $0.storeCapacityBytes.map(Double.init) })
        add(
            "event_store_capacity_events", .gauge, "The most waiting events; above it the oldest are dropped.",
            samples { $0.storeCapacityEvents.map(Double.init) })
        add("tracker_failing", .gauge, "Whether requests to the collector fail.", samples { $0.isFailing ? 1 : 0 })
        add(
            "tracker_consecutive_failures", .gauge, "Passes that failed in a row.",
            samples { Double($0.consecutiveFailures) })
        add("tracker_paused", .gauge, "Whether the tracker or its emitter is paused.", samples { $0.isPaused ? 1 : 0 })
        add(
            "tracker_last_success_timestamp_seconds", .gauge,
            "When the collector last took events, in seconds since 1970; missing before the first.",
            samples { $0.lastSuccessTime?.timeIntervalSince1970 })
        add(
            "event_values_truncated", .counter, "Values of events that were cut or left out, as too long.",
            samples { Double($0.counters.truncated) })
        add(
            "event_schemas_malformed", .counter, "Schemas of events and entities that are no Iglu URIs.",
            samples { Double($0.counters.malformedSchemas) })
        add(
            "incomplete_responses", .counter,
            "Responses whose head said success and whose body did not come; their events count as sent.",
            samples { Double($0.counters.incompleteResponses) })
        add(
            "dead_letter_failures", .counter, "Dropped events that could not be kept as dead letters.",
            samples { Double($0.counters.deadLetterFailures) })
        add(
            "requests", .counter,
            "Requests to collectors by the status of the response, or by the failure without one, such as timeout.",
            trackers.flatMap { tracker in
                // From 0 on, so that the first requests count in a rate too.
                let codes = tracker.counters.requestsByCode.map { (Self.snakeCase($0.key), $0.value) } + [("200", 0)]
                return Dictionary(codes, uniquingKeysWith: +).sorted { $0.key < $1.key }
                    .map { Sample($0.value, ("namespace", tracker.namespace), ("code", $0.key)) }
            })
        add(
            "request_duration_seconds",
            "How long requests to collectors took, by outcome: success is a status of 200 to 299.",
            trackers.flatMap { tracker in
                [("success", false), ("failure", true)].compactMap { outcome, ofFailures in
                    durations(tracker.namespace, ofFailures).map {
                        ($0, [("namespace", tracker.namespace), ("outcome", outcome)])
                    }
                }
            })
    }

    fileprivate mutating func addFeatures(_ features: Features, _ status: SetupStatus) {
        let usages = features.usage
        add("features", .gauge, "Features that are defined or were evaluated.", [Sample(usages.count)])
        add("overrides", .gauge, "Overrides in effect.", [Sample(status.overrides.count)])
        add(
            "override_age_seconds", .gauge, "The age of the oldest override in effect; 0 without one.",
            [Sample(status.overrides.compactMap(\.time).min().map { status.age(of: $0) } ?? 0)])
        add(
            "feature_evaluations", .counter,
            "Evaluations by reason, of the first \(Self.maxNames) features by name. Plain values are not counted.",
            usages.prefix(Self.maxNames).flatMap { usage in
                usage.evaluations.sorted { $0.key.rawValue < $1.key.rawValue }.map { reason, count in
                    Sample(count, ("feature", usage.feature), ("result", Self.snakeCase(reason.rawValue)))
                }
            })
        add(
            "feature_read_failures", .counter, "Values that could not be read as the type that was asked for.",
            [Sample(features.readFailures)])
        add(
            "feature_unknown_names", .counter,
            "Reads and overrides of features, variables, experiments and variants that no source has.",
            [Sample(features.unknownNames)])
    }

    fileprivate mutating func addExperiments(_ counters: ExperimentCounters) {
        add(
            "experiment_exposures", .counter, "Exposures of experiments, by outcome.",
            [
                Sample(counters.exposuresTracked, ("outcome", "tracked")),
                Sample(counters.exposuresLost, ("outcome", "lost")),
                Sample(counters.exposuresEvicted, ("outcome", "evicted")),
            ])
        add(
            "experiment_assignments", .counter, "Sticky assignments of experiments, by outcome.",
            [
                Sample(counters.assignmentsStored, ("outcome", "stored")),
                Sample(counters.assignmentsLost, ("outcome", "lost")),
                Sample(counters.assignmentsEvicted, ("outcome", "evicted")),
            ])
        add(
            "experiment_store_failures", .counter, "Failed calls of the store of assignments.",
            [Sample(counters.storeFailures)])
    }

    private static func optional(_ value: Int?) -> [Sample] { optional(value.map { Double($0) }) }

    private static func optional(_ value: Double?) -> [Sample] { value.map { [Sample($0)] } ?? [] }
}

extension SetupStatus {
    /// How long ago a time was, in seconds; 0 if the clock was turned back since.
    fileprivate func age(of time: Date) -> Double { max(0, self.time.timeIntervalSince(time)) }
}
