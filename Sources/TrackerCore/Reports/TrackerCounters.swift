/// What became of a tracker's events, at one moment.
public struct TrackerCounters: Sendable, Hashable, Codable {
    /// Events that were taken in since the tracker's namespace was set up in this process.
    public var tracked = 0

    /// Events that a collector has taken.
    public var sent = 0

    /// Events that wait to be sent, those of earlier runs included as soon as the store has been read.
    public var stored = 0

    /// Events that were kept after a failed request, each time anew.
    public var retried = 0

    /// Requests that were made.
    public var requests = 0

    /// Events that sampling has left out, as it should; they are neither tracked nor dropped.
    public var sampledOut = 0

    /// Values of events that were outside the bounds of Snowplow's atomic schema and were cut or left out, see
    /// ``EventSubject``.
    public var truncated = 0

    /// Events that will never be sent, by reason.
    public var droppedByReason: [DropReason: Int] = [:]

    /// Dropped events that the closure of ``Tracker/onDrop(_:)`` did not get, because it was too slow.
    public var unreportedDrops = 0

    /// Dropped events that were to be kept as dead letters, and could not be written.
    public var deadLetterFailures = 0

    /// Creates counters that stand at zero.
    public init() {}

    /// Events that will never be sent.
    public var dropped: Int { droppedByReason.values.reduce(0, +) }
}
