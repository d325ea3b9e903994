public import FoundationEssentials

/// A tracker for one request: its events are about the request's subject and carry its entities.
///
/// It is for code without a task to which a context could be bound; see ``withTrackingContext(_:operation:)``.
///
/// ```swift
/// let scoped = tracker.scoped(to: TrackingContext(subject: EventSubject(userID: "u-1")))
/// scoped.track(Structured(category: "cart", action: "add"))
/// ```
public struct ScopedTracker: Sendable {
    /// The tracker.
    public let tracker: Tracker

    /// The context of its events, which has precedence over the one that is bound to the task.
    public let context: TrackingContext

    /// Tracks an event; see ``Tracker/track(_:entities:subject:trueTimestamp:)``.
    /// - Parameters:
    ///   - event: The event.
    ///   - entities: The entities of the event, in addition to those of the context and the settings.
    ///   - subject: The subject of the event, which takes precedence field by field over the context; nil by default.
    ///   - trueTimestamp: The time when it happened, if that is not now.
    /// - Returns: The event's id; nil if it was not tracked.
    @discardableResult
    public func track(
        _ event: some Event, entities: [Entity] = [], subject: EventSubject? = nil, trueTimestamp: Date? = nil
    ) -> EventID? {
        // The reason of a failure is counted and logged where it arises.
        try? tracker.enqueue(event, entities, subject, trueTimestamp, in: context, waiter: nil).get()
    }

    /// Tracks an event and waits until it is on disk; see
    /// ``Tracker/trackCommitted(_:entities:subject:trueTimestamp:)``.
    /// - Parameters:
    ///   - event: The event.
    ///   - entities: The entities of the event, in addition to those of the context and the settings.
    ///   - subject: The subject of the event, which takes precedence field by field over the context; nil by default.
    ///   - trueTimestamp: The time when it happened, if that is not now.
    /// - Returns: The event's id.
    /// - Throws: ``TrackingError`` if the event was not tracked, or was but is in memory only.
    @discardableResult
    public func trackCommitted(
        _ event: some Event, entities: [Entity] = [], subject: EventSubject? = nil, trueTimestamp: Date? = nil
    ) async throws(TrackingError) -> EventID {
        try await tracker.commit(event, entities, subject, trueTimestamp, in: context)
    }
}

extension Tracker {
    /// Returns the tracker for one request.
    /// - Parameter context: The request's context.
    /// - Returns: A value that tracks with the context.
    public func scoped(to context: TrackingContext) -> ScopedTracker {
        ScopedTracker(tracker: self, context: context)
    }
}
