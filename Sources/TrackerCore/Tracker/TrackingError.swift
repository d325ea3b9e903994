/// Why ``Tracker/trackCommitted(_:entities:trueTimestamp:)`` could not keep its promise.
public struct TrackingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The event was not tracked.
        case dropped(DropReason)
        /// The event was tracked and will be sent, but is in memory only.
        case notDurable(EventStoreError)
    }

    /// The kind of failure.
    public let code: Code

    /// The event's id, where it was tracked.
    public let id: EventID?

    init(_ code: Code, id: EventID?) {
        self.code = code
        self.id = id
    }

    /// What happened, as a sentence.
    public var description: String {
        switch code {
        case .dropped(let reason): "the event was not tracked (\(reason.rawValue))"
        case .notDurable(let error): "the event is in memory and not on disk: \(error.reason)"
        }
    }
}
