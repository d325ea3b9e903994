/// The numbers of a tracker's events by outcome, at one moment.
public struct TrackerCounters: Sendable, Hashable, Encodable {
    /// The number of tracked events since the tracker's namespace was set up in this process.
    public var tracked = 0

    /// The number of events that a collector accepted.
    public var sent = 0

    /// The number of events that wait to be sent, including those of earlier runs. Those are counted in steps of
    /// 10,000, while the first of them are already sent.
    public var stored = 0

    /// The number of events that were kept after a failed request; each attempt counts.
    public var retried = 0

    /// The number of requests.
    public var requests = 0

    /// The numbers of completed requests, by the status of the response (`200`), or by the code of the failure if there
    /// is no status (`timeout`, `failed`, `cancelled`, or a code of your own transport). At most 32 codes are counted
    /// separately, further ones as `other`.
    public var requestsByCode: [String: Int] = [:]

    /// The number of responses with a successful status whose body did not arrive within
    /// ``NetworkConfiguration/timeout``, broke off or was larger than 64 KiB. Their events count as sent, because the
    /// collector has confirmed them.
    public var incompleteResponses = 0

    /// The number of events that sampling left out; they count neither as tracked nor as dropped.
    public var sampledOut = 0

    /// The number of values that exceeded the limits of Snowplow's atomic schema and were truncated or left out; see
    /// ``EventSubject``.
    public var truncated = 0

    /// The number of schemas of events and their entities that were not Iglu URIs. Such events are sent, and Snowplow's
    /// Enrich makes them failed events.
    public var malformedSchemas = 0

    /// The numbers of events that will never be sent, by reason.
    public var droppedByReason: [DropReason: Int] = [:]

    /// The number of dropped events that the closures of ``Tracker/onDrop(_:)`` did not receive, because a closure was
    /// too slow.
    public var unreportedDrops = 0

    /// The number of dropped events that could not be written as dead letters.
    public var deadLetterFailures = 0

    /// Creates counters at zero.
    public init() {}

    /// The sum of the numbers of several trackers.
    static func + (left: TrackerCounters, right: TrackerCounters) -> TrackerCounters {
        var sum = left
        let counts = [
            \Self.tracked, \.sent, \.stored, \.retried, \.requests, \.incompleteResponses, \.sampledOut, \.truncated,
            \.malformedSchemas, \.unreportedDrops, \.deadLetterFailures,
        ]
        for count in counts { sum[keyPath: count] += right[keyPath: count] }
        sum.requestsByCode.merge(right.requestsByCode, uniquingKeysWith: +)
        sum.droppedByReason.merge(right.droppedByReason, uniquingKeysWith: +)
        return sum
    }

    /// The number of events that will never be sent.
    public var dropped: Int { droppedByReason.values.reduce(0, +) }
}
