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

    /// What the number is.
    enum Value: Sendable, Equatable {
        /// A count, which begins at 0 with each process and each time that a namespace is set up.
        case count(Int)
        /// A state.
        case level(Double)
    }

    let key: Key
    let value: Value

    init(_ name: String, _ value: Value, _ dimensions: (String, String)...) {
        key = Key(name: name, dimensions: dimensions.map { Dimension(name: $0.0, value: $0.1) })
        self.value = value
    }
}

extension SetupStatus {
    /// All numbers of the status, with the names that the console's metrics have.
    var samples: [MetricSample] {
        var samples = [
            MetricSample("healthy", .level(isHealthy ? 1 : 0)),
            MetricSample("document_warnings", .level(Double(document.warnings.count))),
            MetricSample("document_stale", .level(document.staleSince == nil ? 0 : 1)),
            MetricSample("fetch_outage_seconds", .level(outage.map { age(of: $0.firstTime) } ?? 0)),
            MetricSample("trackers", .level(Double(trackers.count))),
            MetricSample("overrides", .level(Double(overrides.count))),
            MetricSample("untracked", .count(untracked)),
        ]
        if let version = document.version { samples.append(MetricSample("document_version", .level(Double(version)))) }
        if let rollout {
            samples.append(MetricSample("rollout_ratio", .level(rollout.percent / 100)))
            samples.append(MetricSample("rollout_included", .level(rollout.isIncluded ? 1 : 0)))
        }
        samples += fetches.map { MetricSample("fetches", .count($0.value), ("outcome", $0.key.rawValue)) }
        if let streaming {
            samples.append(MetricSample("stream_connected", .level(streaming.connectedSince == nil ? 0 : 1)))
            samples += streaming.signals.map { MetricSample("signals", .count($0.value), ("kind", $0.key.rawValue)) }
        }
        return samples + propagationSamples + trackers.flatMap { self.samples(of: $0) }
    }

    /// The histogram as the console has it, so that one query fits both; swift-metrics has none whose ranges are given.
    private var propagationSamples: [MetricSample] {
        let bounds = propagation.bounds.map { "\($0 / .seconds(1))" } + ["+Inf"]
        var count = 0
        let ranges = zip(bounds, propagation.counts).map { bound, more in
            count += more
            return MetricSample("propagation_seconds_bucket", .count(count), ("le", bound))
        }
        return ranges + [
            MetricSample("propagation_seconds_count", .count(count)),
            MetricSample("propagation_seconds_sum", .level(propagation.sum / .seconds(1))),
        ]
    }

    private func samples(of tracker: TrackerStatus) -> [MetricSample] {
        let namespace = ("namespace", tracker.namespace)
        let counters = tracker.counters
        let events = [
            ("tracked", counters.tracked), ("sent", counters.sent), ("dropped", counters.dropped),
            ("sampled_out", counters.sampledOut), ("retried", counters.retried),
        ]
        var samples = events.map { MetricSample("events", .count($0.1), namespace, ("outcome", $0.0)) }
        samples += counters.droppedByReason.map { reason, count in
            MetricSample("events_dropped", .count(count), namespace, ("reason", reason.rawValue))
        }
        return samples + [
            MetricSample("requests", .count(counters.requests), namespace),
            MetricSample("event_values_truncated", .count(counters.truncated), namespace),
            MetricSample("event_schemas_malformed", .count(counters.malformedSchemas), namespace),
            MetricSample("dead_letter_failures", .count(counters.deadLetterFailures), namespace),
            MetricSample("incomplete_responses", .count(counters.incompleteResponses), namespace),
            MetricSample("events_too_large", .level(Double(tracker.tooLarge)), namespace),
            MetricSample("events_waiting", .level(Double(tracker.waiting)), namespace),
            MetricSample(
                "oldest_event_seconds", .level(tracker.oldestEventTime.map { age(of: $0) } ?? 0), namespace),
            MetricSample("tracker_failing", .level(tracker.isFailing ? 1 : 0), namespace),
            MetricSample("tracker_consecutive_failures", .level(Double(tracker.consecutiveFailures)), namespace),
            MetricSample("tracker_paused", .level(tracker.isPaused ? 1 : 0), namespace),
        ]
    }

    /// How long ago a time was, in seconds; 0 if the clock was turned back since.
    private func age(of time: Date) -> Double { max(0, self.time.timeIntervalSince(time)) }
}
