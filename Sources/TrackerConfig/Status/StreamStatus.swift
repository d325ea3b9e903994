public import FoundationEssentials

/// The stream over which the document's source hints at changes; see ``ConfigurationSource/changes()``.
public struct StreamStatus: Sendable, Equatable, Encodable {
    /// The time when the connection was opened; nil while there is none.
    public var connectedSince: Date?

    /// The time of the last hint at a change; nil before the first.
    public var lastHintTime: Date?

    /// The number of connections that were opened after the first one.
    public var reconnections = 0

    /// The failures since a connection last lasted a minute; nil while one is open.
    package var failures: FetchOutage?

    /// Creates the status of a stream that was not open yet.
    public init() {}

    private enum CodingKeys: String, CodingKey {
        case connectedSince, lastHintTime, reconnections
        case failures = "outage"
    }
}

extension StreamStatus {
    /// - Parameters:
    ///   - stream: The stream; nil if its source has none.
    ///   - now: The clocks now.
    init?(_ stream: ChangeStream, _ now: ClockReading) {
        guard stream.isOffered else { return nil }
        if case .open(let since) = stream.phase { connectedSince = Date(milliseconds: since.time(seenAt: now)) }
        lastHintTime = stream.lastHint.map { Date(milliseconds: $0.time(seenAt: now)) }
        reconnections = max(stream.connections - 1, 0)
        guard stream.isFailing, let (outage, start) = stream.failures else { return }
        failures = outage
        failures?.since = Date(milliseconds: start.time(seenAt: now))
    }

    /// The failures in a row, with the reason for the last one; nil while a connection is open, and if none has failed. A connection
    /// that lasted less than a minute is one of them.
    public var outage: ConfigurationChange? { failures.map(ConfigurationChange.init) }
}
