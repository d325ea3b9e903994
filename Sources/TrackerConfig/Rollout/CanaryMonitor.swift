package import TrackerCore

/// Evaluates a canary: whether its trackers fail more often with a document than without it.
///
/// - A tracker is judged by its requests since the document was applied, at least 20, compared with the 20 to 64 before
///   it. A collector that was already failing before the change therefore never triggers a rollback.
/// - If there were fewer requests before, a tracker with a new collector is judged as if none had failed; a tracker
///   with the same collector is not judged by its requests.
/// - A tracker whose requests all fail sends few of them, so it is also judged by its queue: it fails if requests fail
///   and events have waited, since the document was applied, longer than half the bake time. This applies if it has a
///   new collector, or if requests to the same one succeeded.
package struct CanaryMonitor: Sendable {
    /// The state of a tracker at one moment.
    package struct Observation: Sendable {
        package let status: TrackerStatus
        /// The full URL of its collector, which may contain a password; nil if it is unusable.
        package let collector: String?
        /// The outcomes of its newest requests.
        package let history: RequestHistory
        /// The number of requests that had ended when the document was applied.
        package let requests: Int

        package init(
            _ status: TrackerStatus, at collector: String?, _ history: RequestHistory = RequestHistory(),
            requests: Int? = nil
        ) {
            (self.status, self.collector) = (status, collector)
            (self.history, self.requests) = (history, requests ?? history.total)
        }

        /// Returns the same tracker with a later number of requests.
        package func after(requests: Int?) -> Self { Self(status, at: collector, history, requests: requests) }
    }

    /// The decision about the canary.
    enum Verdict: Sendable, Equatable {
        case goesOn
        case passed
        case failed(String)
    }

    private struct Baseline: Sendable {
        /// The number of requests that had ended.
        var requests: Int
        /// The share of failures among the newest requests; nil if there were too few.
        var measuredRate: Double?
        /// The share of failures with which the document is compared; nil if it is not judged by its requests.
        var failureRate: Double?
        /// Whether the document is judged by the age of waiting events.
        var judgesAge: Bool
    }

    static let minRequests = 20
    /// The maximum number of trackers named in a reason.
    private static let maxFaults = 3

    package let version: Int
    /// The uptime at which it ends, so that a change of the wall clock neither ends nor delays it.
    package let end: Duration
    /// The uptime at which the document was first applied, as far as this process knows.
    let start: Duration
    /// The wall clock, in milliseconds since 1970, and the uptime when it began in this process.
    private let origin: (time: Int64, uptime: Duration)
    private let rollout: Rollout
    /// The trackers with the last known good configuration.
    package let before: [ExactText: Observation]
    private var baselines: [ExactText: Baseline] = [:]
    /// The measured shares of failed requests before and after the document was applied, by namespace.
    private(set) var rates: [ExactText: RolloutStatus.Tracker] = [:]
    private(set) var hasPassed = false
    /// The uptime at which a tracker fails if requests continue to fail, as last judged; nil if no failure is expected.
    private(set) var expectedFailure: Duration?

    /// Starts to observe a document.
    /// - Parameters:
    ///   - version: The document's version.
    ///   - rollout: The document's rollout.
    ///   - start: The time when it was first applied, in milliseconds since 1970; processes share only this clock.
    ///   - before: The trackers just before, with the last known good configuration.
    ///   - now: The wall clock, in milliseconds since 1970.
    ///   - uptime: The uptime.
    init(version: Int, rollout: Rollout, start: Int64, before: [ExactText: Observation], now: Int64, uptime: Duration) {
        self.version = version
        self.rollout = rollout
        // A foreign cache may have stored any time, and the clock may have been set back.
        let elapsed = min(max(.milliseconds(now - Self.bounded(start)), .zero), rollout.bakeTime)
        self.start = uptime - elapsed
        self.before = before
        origin = (now, uptime)
        end = self.start + rollout.bakeTime
    }

    /// The time when a canary of an earlier process ended, in milliseconds since 1970.
    static func end(of rollout: Rollout, start: Int64) -> Int64 {
        bounded(start) + Int64(rollout.bakeTime / .milliseconds(1))
    }

    private static func bounded(_ start: Int64) -> Int64 { min(max(start, 0), .max / 2) }

    /// How long an event has waited since the document was applied.
    ///
    /// Events have a time of the wall clock, which may have been set forward or back before or after they were tracked.
    private func wait(since time: Int64, now: Int64, uptime: Duration) -> Duration {
        let byClock = Duration.milliseconds(now - time)
        // The wait if the clock had not been set.
        let steady = Duration.milliseconds(origin.time - time) + uptime - origin.uptime
        let wait = byClock < .zero ? steady : steady < .zero ? byClock : min(byClock, steady)
        return min(max(wait, .zero), uptime - start)
    }

    /// The time between two checks.
    var interval: Duration { min(.seconds(5), max(.milliseconds(50), rollout.bakeTime / 20)) }

    /// Checks the trackers.
    /// - Parameters:
    ///   - trackers: The trackers by namespace.
    ///   - now: The wall clock, in milliseconds since 1970.
    ///   - uptime: The uptime.
    /// - Returns: The decision.
    mutating func check(_ trackers: [ExactText: Observation], now: Int64, uptime: Duration) -> Verdict {
        expectedFailure = nil
        var faults: [String] = []
        for (namespace, tracker) in trackers.sorted(by: { $0.key < $1.key }) {
            let baseline = baselines[namespace] ?? baseline(of: namespace, tracker)
            baselines[namespace] = baseline
            let history = tracker.history
            let newest = history.counts(ofNewest: history.total - baseline.requests)
            rates[namespace] = RolloutStatus.Tracker(
                failureRateBefore: baseline.measuredRate,
                failureRateAfter: history.failureRate(ofNewest: newest.requests), requests: newest.requests,
                failedRequests: newest.failed)
            let oldest = tracker.status.oldestEventTime?.milliseconds
            let waited = oldest.map { wait(since: $0, now: now, uptime: uptime) }
            if let fault = fault(tracker, baseline, waited) {
                faults.append("\(namespace.text.oneLine(most: 60)) \(fault)")
            } else if let waited, isJudgedByAge(tracker, baseline) {
                let failure = uptime + patience - waited
                // A failure after the bake time does not count.
                if failure < end { expectedFailure = min(failure, expectedFailure ?? failure) }
            }
        }
        if !faults.isEmpty {
            let more = faults.count - Self.maxFaults
            let rest = more > 0 ? ["\(counted(more, "more tracker")) failed"] : []
            return .failed((faults.prefix(Self.maxFaults) + rest).joined(separator: ", "))
        }
        hasPassed = uptime >= end
        return hasPassed ? .passed : .goesOn
    }

    private func baseline(of namespace: ExactText, _ now: Observation) -> Baseline {
        // A namespace that was set up again has its own history, which may be about other events.
        guard let before = before[namespace] else {
            return Baseline(requests: now.history.total, failureRate: 0, judgesAge: true)
        }
        let history = before.history
        let measuredRate = history.total >= Self.minRequests ? history.failureRate() : nil
        let isElsewhere = before.collector != now.collector
        let hasSucceeded = history.failureRate().map { $0 < 1 } ?? false
        return Baseline(
            requests: before.requests, measuredRate: measuredRate,
            failureRate: measuredRate ?? (isElsewhere ? 0 : nil),
            judgesAge: before.status.consecutiveFailures == 0 && (isElsewhere || hasSucceeded))
    }

    /// `wait` is the wait of the oldest event; nil if no events wait.
    private func fault(_ tracker: Observation, _ baseline: Baseline, _ wait: Duration?) -> String? {
        guard !tracker.status.isPaused else { return nil }
        let requests = tracker.history.total - baseline.requests
        if requests >= Self.minRequests, let usual = baseline.failureRate,
            let rate = tracker.history.failureRate(ofNewest: requests), rate - usual > rollout.maxFailureRate
        {
            let newest = min(requests, RequestHistory.length)
            return "failed \(percent(rate)) of \(newest) requests\(before(baseline))"
        }
        guard isJudgedByAge(tracker, baseline), let wait, wait > patience else { return nil }
        let rate = tracker.history.failureRate(ofNewest: requests)
        let share = rate.map { "\(percent($0)) of requests" } ?? "to deliver"
        return "failed \(share)\(before(baseline)), its events waited for \(wait.components.seconds) s"
    }

    /// The maximum wait of events while requests fail.
    private var patience: Duration { rollout.bakeTime / 2 }

    private func isJudgedByAge(_ tracker: Observation, _ baseline: Baseline) -> Bool {
        baseline.judgesAge && tracker.status.consecutiveFailures > 0 && !tracker.status.isPaused
    }

    private func before(_ baseline: Baseline) -> String {
        baseline.measuredRate.map { " (\(percent($0)) before)" } ?? ""
    }

    private func percent(_ rate: Double) -> String { "\(Int((rate * 100).rounded())) %" }
}
