public import CoreMetrics
public import ServiceLifecycle
public import TrackerConfig

/// Metrics of a setup for swift-metrics: counters of events and fetches, and meters of waiting events and failures.
///
/// ```swift
/// // Before the setup, so that the last report includes the events sent at the shutdown.
/// let group = ServiceGroup(
///     services: [SetupMetrics(setup), SetupService(setup), server], gracefulShutdownSignals: [.sigterm], logger: logger)
/// try await group.run()
/// ```
///
/// The metrics are `Setup.metrics`, with the names of the console's metrics for Prometheus
/// (`trackerconfig_events_sent_total` with `namespace`, …), so dashboards and alerts work with both: a counter's name
/// ends with `_total`, which no backend adds twice, and names of the SDK as values of dimensions are in snake case
/// (`queue_full`). A counter grows by the events since the last report, and the first report has all since the start.
/// A process should have one `SetupMetrics` for each setup, because each reports everything.
///
/// The meters of a removed namespace are destroyed at the next report. Its counters stay, because a namespace that is
/// set up again continues to count; beyond 10,000 counters those of removed namespaces are destroyed.
public actor SetupMetrics: Service {
    /// The name and dimensions of a metric.
    private struct Key: Hashable {
        let name: String
        let dimensions: [String]
    }

    private static let maxCounters = 10_000

    private let read: @Sendable () -> [Metric]
    private let factory: any MetricsFactory
    private let interval: Duration
    private let prefix: String
    private let sleep: @Sendable (Duration) async throws -> Void
    private var counters: [Key: (counter: Counter, last: Int)] = [:]
    private var meters: [Key: Meter] = [:]

    /// Creates metrics of a setup.
    /// - Parameters:
    ///   - setup: The setup.
    ///   - interval: The time between two reports; 10 s by default, at least 100 ms.
    ///   - factory: The factory of the metrics; by default the factory that the service has bootstrapped.
    ///   - prefix: The prefix of the names; `trackerconfig_` by default.
    public init(
        _ setup: Setup, every interval: Duration = .seconds(10), factory: any MetricsFactory = MetricsSystem.factory,
        prefix: String = "trackerconfig_"
    ) {
        self.init(every: interval, factory: factory, prefix: prefix) { setup.metrics }
    }

    init(
        every interval: Duration = .seconds(10), factory: any MetricsFactory, prefix: String,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        _ read: @escaping @Sendable () -> [Metric]
    ) {
        (self.interval, self.factory, self.prefix) = (interval, factory, prefix)
        (self.sleep, self.read) = (sleep, read)
    }

    /// Reports the current state.
    public func report() {
        var keys: Set<Key> = []
        for metric in read() {
            let key = Key(name: metric.name, dimensions: metric.labels.flatMap { [$0.name, $0.value] })
            keys.insert(key)
            if metric.isCounter { advance(metric, key) } else { set(metric, key) }
        }
        if counters.count > Self.maxCounters {
            for key in counters.keys where !keys.contains(key) { counters.removeValue(forKey: key)?.counter.destroy() }
        }
        for key in meters.keys where !keys.contains(key) { meters.removeValue(forKey: key)?.destroy() }
    }

    /// Reports until the service's group shuts down or the task is cancelled, and then once more for the last changes.
    public func run() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.report()
                // It throws if the task is cancelled, which the loop checks.
                try? await self.sleep(max(self.interval, .milliseconds(100)))
            }
        }
        report()
    }

    private func advance(_ metric: Metric, _ key: Key) {
        let (counter, last) =
            counters[key] ?? (Counter(label: prefix + metric.name, dimensions: metric.labels, factory: factory), 0)
        let count = Int(metric.value)
        if count > last { counter.increment(by: count - last) }
        counters[key] = (counter, count)
    }

    private func set(_ metric: Metric, _ key: Key) {
        let meter = meters[key] ?? Meter(label: prefix + metric.name, dimensions: metric.labels, factory: factory)
        meters[key] = meter
        meter.set(metric.value)
    }
}
