/// An error of ``Tracker/trackCommitted(_:entities:subject:trueTimestamp:)``: the event was not tracked, or is not on
/// disk.
public struct TrackingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public let code: NamedCode<TrackingError>

    /// The event's id; nil if it was not tracked.
    public let id: EventID?

    /// The reason why the event was not tracked; nil if it was tracked.
    public let dropReason: DropReason?

    /// The error that led to this one; nil if there is none. Comparisons of errors ignore it.
    public var cause: (any Error)? { underlying.error }

    private let underlying: ErrorCause

    /// Creates the error of an event that was not tracked.
    /// - Parameter dropReason: The reason why it was not tracked.
    public init(dropped dropReason: DropReason) {
        (code, id, self.dropReason, underlying) = (.dropped, nil, dropReason, ErrorCause(nil))
    }

    /// Creates the error of an event that is in memory only.
    /// - Parameters:
    ///   - id: The event's id.
    ///   - cause: The reason why it is not on disk.
    package init(notDurable id: EventID, cause: EventStoreError) {
        (code, self.id, dropReason, underlying) = (.notDurable, id, nil, ErrorCause(cause))
    }

    /// The error of an event that sampling left out.
    public static let sampledOut = TrackingError(.sampledOut)

    /// The error of an event whose namespace has no tracker.
    public static let noTracker = TrackingError(.noTracker)

    private init(_ code: NamedCode<TrackingError>) {
        (self.code, id, dropReason, underlying) = (code, nil, nil, ErrorCause(nil))
    }

    /// The description of the failure, as a sentence.
    public var description: String {
        if code == .sampledOut { return "the event was left out by sampling" }
        if code == .noTracker { return "the event was not tracked: its namespace has no tracker" }
        if let dropReason { return "the event was not tracked (\(dropReason.rawValue))" }
        return "the event is in memory and not on disk: \(cause.map { "\($0)" } ?? "the store failed")"
    }
}

/// The kinds of error.
extension NamedCode<TrackingError> {
    /// The event was not tracked; ``TrackingError/dropReason`` is the reason.
    public static var dropped: Self { Self(rawValue: "dropped") }

    /// Sampling left out the event.
    public static var sampledOut: Self { Self(rawValue: "sampledOut") }

    /// The event was not tracked, because its namespace has no tracker.
    public static var noTracker: Self { Self(rawValue: "noTracker") }

    /// The event was tracked and will be sent, but is in memory only; ``TrackingError/cause`` is the reason.
    public static var notDurable: Self { Self(rawValue: "notDurable") }
}
