import Synchronization

extension NamespaceEmitter {
    /// The maximum number of codes with a count of their own.
    private static let maxRequestCodes = 32

    /// The outcomes of the namespace's events.
    package var counters: TrackerCounters { state.withLock { counters(of: $0) } }

    func counters(of state: State) -> TrackerCounters {
        var counters = state.delivery.status.counters
        counters.tracked = tracked.load(ordering: .relaxed)
        counters.malformedSchemas = malformedSchemas.total
        // An event may be sent before the tracking thread counts it.
        counters.stored = max(0, counters.tracked + state.untracked - counters.sent - counters.dropped)
        return counters
    }

    package func countTracked() { tracked.add(1, ordering: .relaxed) }

    package func countRecovered(_ count: Int) { state.withLock { $0.untracked += count } }

    /// Changes the counters.
    package func count(_ change: (inout TrackerCounters) -> Void) {
        state.withLock { change(&$0.delivery.status.counters) }
    }

    /// Counts events that will not be sent.
    /// - Parameters:
    ///   - count: The number of events.
    ///   - reason: The reason.
    ///   - isRefused: Whether the events were never stored.
    package func countDropped(_ count: Int, _ reason: DropReason, isRefused: Bool = false) {
        guard count > 0 else { return }
        state.withLock { state in
            if isRefused { state.untracked += count }
            state.delivery.status.counters.droppedByReason[reason, default: 0] += count
        }
    }

    /// Counts values that were truncated or left out.
    /// - Returns: The parameters that are counted for the first time.
    func countTruncated(_ fields: [AtomicField]) -> [AtomicField] {
        state.withLock { state in
            state.delivery.status.counters.truncated += fields.count
            return fields.filter { state.truncated.insert($0).inserted }
        }
    }

    /// Counts a completed request.
    package func countEnd(of response: CollectorResponse, after duration: Duration) {
        let code = response.code
        let isSuccess = 200...299 ~= response.status ?? 0
        state.withLock { state in
            state.durations[isSuccess, default: DurationHistogram()].add(duration)
            if case .failure = response, isSuccess { state.delivery.status.counters.incompleteResponses += 1 }
            let codes = state.delivery.status.counters.requestsByCode
            // Status 200 always has a count of its own, because it is the most frequent one.
            let isKnown = codes[code] != nil || codes.count < Self.maxRequestCodes || response.status == 200
            state.delivery.status.counters.requestsByCode[isKnown ? code : "other", default: 0] += 1
        }
    }
}

extension CollectorResponse {
    /// The status, otherwise the code of the failure.
    fileprivate var code: String {
        if let status { return "\(status)" }
        if case .failure(let error) = self { return error.code.rawValue.oneLine(most: 60) }
        return "other"
    }
}
