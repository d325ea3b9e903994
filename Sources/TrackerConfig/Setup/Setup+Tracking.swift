public import FoundationEssentials

extension Setup {
    /// Returns the tracker of a namespace.
    ///
    /// `setup.tracker("ordes")?.track(…)` drops an event without an error. Therefore a namespace without a tracker is a
    /// warning in the log, once in the process, and each look-up counts in ``SetupStatus/untracked``.
    /// ``track(_:to:entities:subject:trueTimestamp:)`` counts the events themselves, and ``namespaces`` lists the
    /// namespaces without counting anything.
    /// - Parameter namespace: The namespace.
    /// - Returns: The tracker, which is the same object until the namespace is removed; nil if there is none.
    public func tracker(_ namespace: String) -> Tracker? {
        if let tracker = registry.tracker(namespace) { return tracker }
        var hint: String { namespace.closest(in: namespaces).map { "; did you mean \($0.excerpt)?" } ?? "" }
        registry.untracked.count(
            namespace, updater.parts.log,
            "namespace \(namespace.excerpt) has no tracker, so its events are not tracked\(hint)")
        return nil
    }

    /// Tracks an event with the tracker of a namespace; see ``Tracker/track(_:entities:subject:trueTimestamp:)``.
    ///
    /// If the namespace has no tracker, the event is not tracked: it counts in ``SetupStatus/untracked``, and the first
    /// of each namespace is a warning in the log.
    /// - Parameters:
    ///   - event: The event.
    ///   - namespace: The namespace.
    ///   - entities: The entities of the event, in addition to those of the context and the settings.
    ///   - subject: The subject of the event, whose fields have precedence over all other sources except the event
    ///     itself; nil by default.
    ///   - trueTimestamp: The time when the event happened; nil for now.
    /// - Returns: The event's id; nil if it was not tracked.
    @discardableResult
    public func track(
        _ event: some Event, to namespace: String, entities: [Entity] = [], subject: EventSubject? = nil,
        trueTimestamp: Date? = nil
    ) -> EventID? {
        tracker(namespace)?.track(event, entities: entities, subject: subject, trueTimestamp: trueTimestamp)
    }

    /// Tracks an event with the tracker of a namespace and waits until it is on disk; see
    /// ``Tracker/trackCommitted(_:entities:subject:trueTimestamp:)``.
    /// - Parameters:
    ///   - event: The event.
    ///   - namespace: The namespace.
    ///   - entities: The entities of the event, in addition to those of the context and the settings.
    ///   - subject: The subject of the event, whose fields have precedence over all other sources except the event
    ///     itself; nil by default.
    ///   - trueTimestamp: The time when the event happened; nil for now.
    /// - Returns: The event's id.
    /// - Throws: ``TrackingError`` if the event was not tracked, or is in memory only; with the code `noTracker` if the
    ///   namespace has no tracker, which is counted and logged as above.
    @discardableResult
    public func trackCommitted(
        _ event: some Event, to namespace: String, entities: [Entity] = [], subject: EventSubject? = nil,
        trueTimestamp: Date? = nil
    ) async throws(TrackingError) -> EventID {
        guard let tracker = tracker(namespace) else { throw TrackingError.noTracker }
        return try await tracker.trackCommitted(
            event, entities: entities, subject: subject, trueTimestamp: trueTimestamp)
    }
}
