import FoundationEssentials

/// A document's change of the network settings of a tracker.
struct NetworkChange: Sendable {
    /// The number of changes that are kept for each tracker: a failure may outlast the next version, for example after
    /// a rollback.
    static let limit = 4
    /// A failure that begins later than this is not attributed to the document.
    private static let patience: TimeInterval = 120
    /// Within this time, requests with the former settings may still succeed.
    private static let grace: TimeInterval = 5
    /// After such a success, the first request with the new settings fails within this time, including its timeout.
    private static let delay: TimeInterval = 30

    /// The version of the document.
    let version: Int
    /// The time when it was applied.
    let time: Date
    /// The names of the settings with their section, sorted.
    let settings: [String]

    /// Whether a tracker's failure began with the change.
    func began(_ failure: Date, lastSuccess: Date?) -> Bool {
        guard failure >= time, failure.timeIntervalSince(time) <= Self.patience else { return false }
        guard let lastSuccess, lastSuccess > time else { return true }
        // A later success shows that the new settings work, unless the request still used the former ones.
        return lastSuccess.timeIntervalSince(time) <= Self.grace && failure.timeIntervalSince(time) <= Self.delay
    }
}

extension TrackerRegistry {
    /// Notes a document's changes of a tracker's network settings.
    func noteNetworkChange(of tracker: Tracker, from old: NetworkConfiguration, _ version: Int?) {
        guard let version else { return }
        let settings = tracker.effectiveSettings.network.fieldsThatDiffer(from: old).sorted().map {
            "\(NetworkConfiguration.name).\($0)"
        }
        guard !settings.isEmpty else { return }
        let change = NetworkChange(version: version, time: Date(milliseconds: now), settings: settings)
        state.withLock { state in
            let former = state.networkChanges[exactly: tracker.namespace] ?? []
            state.networkChanges[exactly: tracker.namespace] = (former + [change]).suffix(NetworkChange.limit)
        }
    }

    /// Returns the change with which a tracker's failure began; nil if there is none.
    func cause(of status: TrackerStatus) -> NetworkChange? {
        guard status.isFailing, let failure = status.failingSince else { return nil }
        let changes = state.withLock { $0.networkChanges[exactly: status.namespace] }
        return changes?.last { $0.began(failure, lastSuccess: status.lastSuccessTime) }
    }
}
