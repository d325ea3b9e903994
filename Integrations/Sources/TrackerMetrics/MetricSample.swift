import FoundationEssentials
import TrackerConfig

/// One number of a status.
struct MetricSample: Sendable {
    /// The name and dimensions of a metric.
    struct Key: Sendable, Hashable {
        let name: String
        let dimensions: [Dimension]
    }

    /// A dimension with its value.
    struct Dimension: Sendable, Hashable {
        let name: String
        let value: String
    }

    /// The value of a sample, with its kind.
    enum Value: Sendable, Equatable {
        /// A count, which starts at 0 with each process and whenever a namespace is set up.
        case count(Int)
        /// A state.
        case level(Double)

        fileprivate var isCount: Bool {
            if case .count = self { true } else { false }
        }
    }

    let key: Key
    let value: Value

    /// Creates a sample. A count's name gets the suffix `_total`.
    init(_ name: String, _ value: Value, _ dimensions: (String, String)...) {
        key = Key(
            name: value.isCount ? name + "_total" : name,
            dimensions: dimensions.map { Dimension(name: $0.0, value: $0.1) })
        self.value = value
    }
}

extension SetupStatus {
    /// All numbers of the status, with the same names as the console's metrics.
    var samples: [MetricSample] {
        var samples = [
            MetricSample("healthy", .level(isHealthy ? 1 : 0)),
            MetricSample("document_warnings", .level(Double(document.warnings.count))),
            MetricSample("document_stale", .level(document.staleSince == nil ? 0 : 1)),
            MetricSample("fetch_outage_seconds", .level(outage.map { age(of: $0.firstTime) } ?? 0)),
            MetricSample("trackers", .level(Double(trackers.count))),
            MetricSample("overrides", .level(Double(overrides.count))),
            MetricSample(
                "override_age_seconds", .level(overrides.compactMap(\.time).min().map { age(of: $0) } ?? 0)),
            MetricSample("untracked", .count(untracked)),
        ]
        if let version = document.version { samples.append(MetricSample("document_version", .level(Double(version)))) }
        if let rollout {
            samples.append(MetricSample("rollout_ratio", .level(rollout.percent / 100)))
            samples.append(MetricSample("rollout_included", .level(rollout.isIncluded ? 1 : 0)))
        }
        samples += fetches.map { MetricSample("fetches", .count($0.value), ("outcome", $0.key.rawValue.snakeCase)) }
        if let streaming {
            samples.append(MetricSample("stream_connected", .level(streaming.connectedSince == nil ? 0 : 1)))
            samples.append(MetricSample("stream_reconnects", .count(streaming.reconnections)))
        }
        return samples + trackers.flatMap { self.samples(of: $0) }
    }

    private func samples(of tracker: TrackerStatus) -> [MetricSample] {
        let namespace = ("namespace", tracker.namespace)
        let counters = tracker.counters
        var samples = counters.droppedByReason.map { reason, count in
            MetricSample("events_dropped", .count(count), namespace, ("reason", reason.rawValue.snakeCase))
        }
        let codes = counters.requestsByCode.map { ($0.key.snakeCase, $0.value) }
        samples += Dictionary(codes, uniquingKeysWith: +).map { code, count in
            MetricSample("requests", .count(count), namespace, ("code", code))
        }
        if let bytes = tracker.storeCapacityBytes {
            samples.append(MetricSample("event_store_capacity_bytes", .level(Double(bytes)), namespace))
        }
        if let events = tracker.storeCapacityEvents {
            samples.append(MetricSample("event_store_capacity_events", .level(Double(events)), namespace))
        }
        return samples + [
            MetricSample("events_tracked", .count(counters.tracked), namespace),
            MetricSample("events_sent", .count(counters.sent), namespace),
            MetricSample("events_retried", .count(counters.retried), namespace),
            MetricSample("events_sampled_out", .count(counters.sampledOut), namespace),
            MetricSample("event_store_used_bytes", .level(Double(tracker.storeUsedBytes)), namespace),
            MetricSample("event_values_truncated", .count(counters.truncated), namespace),
            MetricSample("event_schemas_malformed", .count(counters.malformedSchemas), namespace),
            MetricSample("dead_letter_failures", .count(counters.deadLetterFailures), namespace),
            MetricSample("incomplete_responses", .count(counters.incompleteResponses), namespace),
            MetricSample("events_set_aside", .level(Double(tracker.setAside)), namespace),
            MetricSample("events_waiting", .level(Double(tracker.waiting)), namespace),
            MetricSample(
                "oldest_event_age_seconds", .level(tracker.oldestEventTime.map { age(of: $0) } ?? 0), namespace),
            MetricSample("tracker_failing", .level(tracker.isFailing ? 1 : 0), namespace),
            MetricSample("tracker_consecutive_failures", .level(Double(tracker.consecutiveFailures)), namespace),
            MetricSample("tracker_paused", .level(tracker.isPaused ? 1 : 0), namespace),
        ]
    }

    /// The age of a time in seconds; 0 if it is in the future, because the clock was turned back.
    private func age(of time: Date) -> Double { max(0, self.time.timeIntervalSince(time)) }
}

extension String {
    /// A name of the SDK as the value of a dimension: `queue_full` for `queueFull`.
    fileprivate var snakeCase: String {
        var (text, isAfterLower) = ("", false)
        for character in self {
            if character.isUppercase, isAfterLower { text += "_" }
            isAfterLower = character.isLowercase
            text += character.lowercased()
        }
        return text
    }
}
