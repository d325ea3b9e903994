public import FoundationEssentials

/// What became of a tracker's events in a span of time.
public struct DeliveryRates: Sendable, Equatable, Codable {
    /// Events that were tracked.
    public var tracked = 0

    /// Events that a collector took.
    public var sent = 0

    /// Events whose request failed, each time anew; they are retried.
    public var failed = 0

    /// Events that are lost; those that are kept back because code asked for it do not count.
    public var dropped = 0

    /// Creates rates of zero.
    public init() {}
}

/// What became of a tracker's events in 10 s.
public struct DeliverySample: Sendable, Equatable, Codable {
    /// When the 10 s began.
    public var time: Date

    /// Events that were tracked.
    public var tracked: Int

    /// Events that a collector took.
    public var sent: Int

    /// Events whose request failed, each time anew; they are retried.
    public var failed: Int

    /// Events that are lost; those that are kept back because code asked for it do not count.
    public var dropped: Int

    /// Creates a sample.
    /// - Parameters:
    ///   - time: When the 10 s began.
    ///   - tracked: Events that were tracked.
    ///   - sent: Events that a collector took.
    ///   - failed: Events whose request failed.
    ///   - dropped: Events that are lost.
    public init(time: Date, tracked: Int = 0, sent: Int = 0, failed: Int = 0, dropped: Int = 0) {
        self.time = time
        self.tracked = tracked
        self.sent = sent
        self.failed = failed
        self.dropped = dropped
    }
}
