/// Judges a canary: whether its trackers fare worse with a document than without it.
///
/// A tracker is judged by its requests since the document was applied, 20 at least, and against the 20 to 64 before it: a
/// collector that was down already is not blamed on the version. If there were fewer before, a tracker that sends to another
/// collector than before is judged as if none had failed, and one that sends to the same is not judged by them. A tracker
/// whose requests all fail makes few of them, so it is judged by the age of its queue too: events that have waited, since
/// the document was applied, longer than half the bake time, while requests fail; where it sends to another collector than
/// before, or where requests to the same one succeeded.
package struct CanaryMonitor: Sendable {
    /// What is known of a tracker at one moment.
    package struct Observation: Sendable {
        package let collectors: [String]
        package let health: TrackerHealth
        /// Requests that had ended when the document was applied.
        package let requests: Int

        package init(collectors: [String], health: TrackerHealth, requests: Int? = nil) {
            self.collectors = collectors
            self.health = health
            self.requests = requests ?? health.requests.total
        }
    }

    /// What is to be done.
    enum Verdict: Sendable, Equatable {
        case goesOn
        case passed
        case failed(String)
    }

    private struct Baseline: Sendable {
        /// Requests that had ended.
        var requests: Int
        /// The share of failures among the newest; nil if there were too few.
        var measuredRate: Double?
        /// The share of failures that the document is judged against; nil if it is not judged by them.
        var failureRate: Double?
        /// Whether old events may be held against the document.
        var judgesAge: Bool
    }

    static let minRequests = 20

    package let version: DocumentVersion
    /// When it ends, in milliseconds since 1970.
    package let end: Int64
    private let start: Int64
    private let rollout: Rollout
    /// The trackers as they were with the last good configuration.
    package let before: [String: Observation]
    private var baselines: [String: Baseline] = [:]
    /// The shares of failed requests before the document was applied and since then, as far as they were measured, by
    /// namespace.
    private(set) var rates: [String: RolloutStatus.Tracker] = [:]

    /// Begins.
    /// - Parameters:
    ///   - version: The document's.
    ///   - rollout: The document's.
    ///   - start: When it was applied first, in milliseconds since 1970.
    ///   - before: The trackers as they were just before, with the last good configuration.
    init(version: DocumentVersion, rollout: Rollout, start: Int64, before: [String: Observation]) {
        self.version = version
        self.rollout = rollout
        // A cache that is not ours may have any time.
        self.start = Self.bounded(start)
        self.before = before
        end = Self.end(of: rollout, start: start)
    }

    /// When a canary ends, in milliseconds since 1970.
    static func end(of rollout: Rollout, start: Int64) -> Int64 {
        bounded(start) + Int64(rollout.bakeTime / .milliseconds(1))
    }

    private static func bounded(_ start: Int64) -> Int64 { min(max(start, 0), .max / 2) }

    /// How long to wait between two looks.
    var interval: Duration { min(.seconds(5), max(.milliseconds(50), rollout.bakeTime / 20)) }

    /// Looks at the trackers.
    /// - Parameters:
    ///   - trackers: By namespace.
    ///   - now: Milliseconds since 1970.
    /// - Returns: What is to be done.
    mutating func judge(_ trackers: [String: Observation], now: Int64) -> Verdict {
        for (namespace, tracker) in trackers.sorted(by: { $0.key < $1.key }) {
            let baseline = baselines[namespace] ?? baseline(of: namespace, tracker)
            baselines[namespace] = baseline
            rates[namespace] = RolloutStatus.Tracker(
                failureRateBefore: baseline.measuredRate,
                failureRateAfter: tracker.health.requests.failureRate(
                    ofNewest: tracker.health.requests.total - baseline.requests))
            if let fault = fault(tracker, baseline, now) { return .failed("\(namespace.excerpt): \(fault)") }
        }
        return now >= end ? .passed : .goesOn
    }

    private func baseline(of namespace: String, _ now: Observation) -> Baseline {
        // A namespace that is back has a history of its own, which may be about other events.
        guard let before = before[namespace] else {
            return Baseline(requests: now.health.requests.total, failureRate: 0, judgesAge: true)
        }
        let history = before.health.requests
        let measuredRate = history.total >= Self.minRequests ? history.failureRate() : nil
        let isElsewhere = before.collectors != now.collectors
        let hasSucceeded = history.failureRate().map { $0 < 1 } ?? false
        return Baseline(
            requests: before.requests, measuredRate: measuredRate,
            failureRate: measuredRate ?? (isElsewhere ? 0 : nil),
            judgesAge: before.health.consecutiveFailures == 0 && (isElsewhere || hasSucceeded))
    }

    private func fault(_ tracker: Observation, _ baseline: Baseline, _ now: Int64) -> String? {
        guard !tracker.health.isPaused else { return nil }
        let requests = tracker.health.requests.total - baseline.requests
        if requests >= Self.minRequests, let usual = baseline.failureRate,
            let rate = tracker.health.requests.failureRate(ofNewest: requests), rate - usual > rollout.maxFailureRate
        {
            let newest = min(requests, RequestHistory.length)
            let before = baseline.measuredRate.map { ", \(percent($0)) before" } ?? ""
            return "\(percent(rate)) of \(newest) requests failed\(before)"
        }
        if baseline.judgesAge, tracker.health.consecutiveFailures > 0,
            let oldest = tracker.health.oldestEventTime?.milliseconds
        {
            let wait = now - max(oldest, start)
            if wait > Int64(rollout.bakeTime / 2 / .milliseconds(1)) {
                return "its events have waited for \(wait / 1000) s, and requests fail"
            }
        }
        return nil
    }

    private func percent(_ rate: Double) -> String { "\(Int((rate * 100).rounded())) %" }
}
