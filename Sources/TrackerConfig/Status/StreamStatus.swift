public import FoundationEssentials

/// The stream over which the document's source says that the document has changed; see ``ConfigurationSource/signals()``.
public struct StreamStatus: Sendable, Equatable, Encodable {
    /// The time when the connection was opened; nil while there is none.
    public var connectedSince: Date?

    /// The time of the last signal; nil before the first. ``NamedCode/connected`` counts; heartbeats do not.
    public var lastSignalTime: Date?

    /// Whether the last connection failed, or could not be opened, and none is open since.
    public var isFailing = false

    /// The last failures in a row; nil if none has failed.
    package var failure: FetchOutage?

    /// The number of signals since the start, by ``SourceSignal/kind``. Besides, `ignored` counts those of versions that are in use
    /// or lower, or that are for other instances, and `unreadable` those that could not be read.
    public var signals: [NamedCode<SourceSignal>: Int] = [:]

    /// Creates the status of a stream that was not open yet.
    public init() {}

    private enum CodingKeys: String, CodingKey {
        case connectedSince, lastSignalTime, isFailing
        case failure = "lastFailure"
        case signals
    }
}

extension StreamStatus {
    /// - Parameters:
    ///   - stream: The stream; nil if its source has none.
    ///   - now: The clocks now.
    init?(_ stream: StreamState, _ now: ClockReading) {
        guard stream.isOffered else { return nil }
        if case .open(let since) = stream.connection { connectedSince = Date(milliseconds: since.time(seenAt: now)) }
        lastSignalTime = stream.lastSignal.map { Date(milliseconds: $0.time(seenAt: now)) }
        (isFailing, signals) = (stream.isFailing, stream.counts)
        failure = stream.outage.map { outage in
            var failures = outage.failures
            failures.since = Date(milliseconds: outage.start.time(seenAt: now))
            return failures
        }
    }

    /// The last failures in a row, with the reason for the last of them; nil if none has failed. They stay when the next
    /// connection is open; ``isFailing`` is false then.
    public var lastFailure: ConfigurationChange? {
        get { failure.map(ConfigurationChange.init) }
        set { failure = newValue.map(FetchOutage.init) }
    }
}
