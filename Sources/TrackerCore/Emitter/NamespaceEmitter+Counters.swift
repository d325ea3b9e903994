import Synchronization

extension NamespaceEmitter {
    /// What became of the namespace's events.
    package var counters: TrackerCounters { state.withLock { counters(of: $0) } }

    func counters(of state: State) -> TrackerCounters {
        var counters = state.counters
        counters.tracked = tracked.load(ordering: .relaxed)
        counters.malformedSchemas = malformedSchemasIfAny?.total ?? 0
        let gone = counters.sent + counters.dropped - state.refused
        // An event may be sent before the thread that tracked it comes to count it.
        counters.stored = max(0, counters.tracked + state.recovered - gone)
        return counters
    }

    package func countTracked() { tracked.add(1, ordering: .relaxed) }

    package func countRecovered(_ count: Int) {
        state.withLock { $0.recovered += count }
    }

    /// Counts what one of the counters has.
    package func count(_ change: (inout TrackerCounters) -> Void) {
        state.withLock { change(&$0.counters) }
    }

    /// Counts an event that was never stored.
    func countRefused(_ reason: DropReason) {
        state.withLock { state in
            state.refused += 1
            state.counters.droppedByReason[reason, default: 0] += 1
        }
    }

    /// Counts values that were cut or left out.
    /// - Returns: The parameters that were never counted before.
    func countTruncated(_ fields: [AtomicField]) -> [AtomicField] {
        state.withLock { state in
            state.counters.truncated += fields.count
            return fields.filter { state.truncated.insert($0).inserted }
        }
    }

    /// Counts a request that has ended.
    func countEnd(of response: Result<HTTPTransportResponse, HTTPTransportError>, after duration: Duration) {
        let code = response.code
        state.withLock { state in
            let codes = state.counters.requestsByCode
            // Odd codes do not crowd out the most frequent one.
            let isKnown = codes[code] != nil || codes.count < Self.maxRequestCodes || response.status == 200
            state.counters.requestsByCode[isKnown ? code : "other", default: 0] += 1
            if response.isSuccess {
                state.durations.add(duration)
            } else {
                state.failureDurations.add(duration)
            }
        }
    }

    /// How long the requests took, those with a status of 200 to 299 or all others.
    func durations(ofFailures: Bool) -> DurationHistogram {
        state.withLock { ofFailures ? $0.failureDurations : $0.durations }
    }

    /// Counts events that were stored and will not be sent.
    package func countDropped(_ count: Int, _ reason: DropReason) {
        guard count > 0 else { return }
        state.withLock { $0.counters.droppedByReason[reason, default: 0] += count }
    }

    /// Counts dropped events whose payloads were lost.
    /// - Parameters:
    ///   - count: How many events.
    ///   - counter: Their counter.
    ///   - uptime: The time.
    /// - Returns: The number of events to log now; nil if there is to be no line now.
    func countMissed(
        _ count: Int, _ counter: WritableKeyPath<TrackerCounters, Int>, at uptime: Duration
    ) -> Int? {
        state.withLock { state in
            state.counters[keyPath: counter] += count
            return state.payloadLines.admit("\(counter)", count: count, at: uptime)
        }
    }

    /// Notes a loss for the log.
    /// - Returns: The number of events to log now; nil if there is to be no line now.
    func admitLine(_ reason: DropReason, count: Int, at uptime: Duration) -> Int? {
        state.withLock { $0.throttle.admit(reason.rawValue, count: count, at: uptime) }
    }

    /// The losses that had no line for a minute.
    func dueLines(at uptime: Duration) -> [(cause: String, count: Int)] {
        state.withLock { $0.throttle.due(at: uptime) }
    }
}

extension Result<HTTPTransportResponse, HTTPTransportError> {
    /// Whether the status says that the collector has taken the events.
    fileprivate var isSuccess: Bool { 200...299 ~= status ?? 0 }

    /// The status, or the code of the failure without one.
    fileprivate var code: String {
        if let status { return "\(status)" }
        if case .failure(let error) = self { return error.code.rawValue.oneLine(most: 60) }
        return "other"
    }
}
