/// The trackers of namespaces that the configuration no longer names, until they end.
///
/// Each ends in the same way, whichever way the configuration came. For ``grace`` it works as before: requests that are
/// in progress finish with it, and a document that names the namespace again finds it. Then it takes no more events; the
/// setup has no tracker of its namespace, as in a process that starts with the document. It ends when its events are sent,
/// or after ``longestDelivery``; events that are left stay in the store.
struct FormerTrackers: Sendable {
    /// How long a tracker still takes events.
    static let grace = Duration.seconds(60)
    /// How long a tracker that takes no more events sends those that wait.
    static let longestDelivery = Duration.seconds(3600)
    /// The most of them; those that have been here longest end first.
    static let limit = 1000

    /// A tracker that takes no more events.
    struct Closed: Sendable {
        let tracker: Tracker
        /// The uptime since when it takes none.
        let since: Duration
    }

    /// The ones that still take events, with the uptime since when they are here.
    private(set) var open: [ExactText: Duration] = [:]
    /// The ones that take no more events.
    private(set) var closed: [ExactText: Closed] = [:]

    var isEmpty: Bool { open.isEmpty && closed.isEmpty }

    /// The namespaces.
    var namespaces: Set<ExactText> { Set(open.keys).union(closed.keys) }

    /// Takes the namespaces that the configuration does not name.
    mutating func note(_ namespaces: Set<ExactText>, at uptime: Duration) {
        open = Dictionary(uniqueKeysWithValues: namespaces.map { ($0, open[$0] ?? uptime) })
    }

    /// Takes a tracker that takes no more events.
    mutating func close(_ namespace: ExactText, _ tracker: Tracker, at uptime: Duration) {
        open[namespace] = nil
        closed[namespace] = Closed(tracker: tracker, since: uptime)
    }

    /// Forgets a namespace that has a tracker again, or is removed.
    /// - Returns: The tracker that took no more events, if there was one.
    mutating func forget(_ namespace: ExactText) -> Tracker? {
        if isEmpty { return nil }
        open[namespace] = nil
        return closed.removeValue(forKey: namespace)?.tracker
    }

    /// The namespaces whose trackers take no more events from now on.
    func due(at uptime: Duration) -> [ExactText] {
        // The ones that take no more events end first.
        let surplus = open.count - Self.limit
        let oldest = open.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        let isDue = oldest.filter { uptime - $0.value >= Self.grace }.count
        return oldest.prefix(max(isDue, surplus)).map { $0.key }
    }

    /// Takes out the trackers that end now.
    mutating func takeEnded(at uptime: Duration) -> [Tracker] {
        let surplus = max(0, open.count + closed.count - Self.limit)
        var ended: [Tracker] = []
        for (namespace, entry) in closed.sorted(by: { ($0.value.since, $0.key) < ($1.value.since, $1.key) }) {
            let age = uptime - entry.since
            // Events that were just tracked, or that an earlier process left, may not be counted yet.
            let isSent = age >= Self.grace && entry.tracker.counters.stored == 0
            guard ended.count < surplus || isSent || age >= Self.longestDelivery else { continue }
            closed[namespace] = nil
            ended.append(entry.tracker)
        }
        return ended
    }
}
