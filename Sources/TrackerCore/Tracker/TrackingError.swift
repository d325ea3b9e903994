/// Why ``Tracker/trackCommitted(_:entities:subject:trueTimestamp:)`` could not keep its promise.
public struct TrackingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; later versions may have more.
    public typealias Code = NamedCode<TrackingError>

    /// The kind of failure.
    public let code: Code

    /// The event's id, where it was tracked.
    public let id: EventID?

    /// Why the event was not tracked; nil if it was.
    public let dropReason: DropReason?

    /// The error that led to this one, if there is one. It does not count when errors are compared.
    public var cause: (any Error)? { underlying.error }

    private let underlying: ErrorCause

    /// Creates the error of an event that was not tracked.
    /// - Parameter dropReason: Why it was not tracked.
    public init(dropped dropReason: DropReason) {
        (code, id, self.dropReason, underlying) = (.dropped, nil, dropReason, ErrorCause(nil))
    }

    /// Creates the error of an event that is in memory only.
    /// - Parameters:
    ///   - id: The event's id.
    ///   - cause: Why it is not on disk.
    public init(notDurable id: EventID, cause: EventStoreError) {
        (code, self.id, dropReason, underlying) = (.notDurable, id, nil, ErrorCause(cause))
    }

    /// The error of an event that sampling has left out.
    public static let sampledOut = TrackingError()

    private init() {
        (code, id, dropReason, underlying) = (.sampledOut, nil, nil, ErrorCause(nil))
    }

    /// What happened, as a sentence.
    public var description: String {
        if code == .sampledOut { return "the event was left out by sampling" }
        if let dropReason { return "the event was not tracked (\(dropReason.rawValue))" }
        return "the event is in memory and not on disk: \(cause.map { "\($0)" } ?? "the store failed")"
    }
}

/// The kinds of error.
extension NamedCode<TrackingError> {
    /// The event was not tracked; ``TrackingError/dropReason`` says why.
    public static var dropped: Self { Self(rawValue: "dropped") }

    /// Sampling has left the event out, as it should.
    public static var sampledOut: Self { Self(rawValue: "sampledOut") }

    /// The event was tracked and will be sent, but is in memory only; ``TrackingError/cause`` says why.
    public static var notDurable: Self { Self(rawValue: "notDurable") }
}
