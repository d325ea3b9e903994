/// Holds what is unsent, by namespace, oldest first.
///
/// A store belongs to one thread at a time and may block. Two implementations: ``SQLiteEventStore`` and
/// ``MemoryEventStore``.
package protocol EventStore: AnyObject {
    /// The number by which the store knows a namespace, for as long as it is open.
    func key(of namespace: String) throws(EventStoreError) -> Int64

    /// Adds all events or none.
    /// - Parameters:
    ///   - batch: The events.
    ///   - keys: The store's number of a namespace, by the namespace's index in the batch.
    ///   - isSynced: Whether to return only when even a power failure cannot lose them.
    /// - Throws: If they cannot be stored; none is then.
    func append(_ batch: EventBatch, keys: (Int) -> Int64, isSynced: Bool) throws(EventStoreError)

    /// Reads the oldest events of a namespace, and checks each.
    /// - Parameters:
    ///   - key: The store's number of the namespace.
    ///   - id: The id from which to begin.
    ///   - limit: The most events and bytes; a first event is read however large it is.
    ///   - excluded: The ids of events to pass over.
    /// - Returns: The events and the damaged rows.
    /// - Throws: If the store cannot be read.
    func events(
        of key: Int64, from id: Int64, limit: EventAmount, except excluded: Set<Int64>
    ) throws(EventStoreError) -> StoredEvents

    /// Removes events of a namespace by their ids.
    /// - Returns: How many were there.
    func remove(_ ids: [Int64], of key: Int64) throws(EventStoreError) -> Int

    /// The events that a namespace has.
    func amount(of key: Int64) throws(EventStoreError) -> EventAmount

    /// Removes the oldest events of a namespace that come after one, until an amount is gone.
    /// - Returns: What was removed, the amount and at most one event more, or all that there was.
    func removeOldest(
        _ amount: EventAmount, of key: Int64, after id: Int64
    ) throws(EventStoreError) -> EventAmount

    /// Removes the oldest events of a namespace, after one, up to the first that was not tracked before a time.
    /// - Parameters:
    ///   - key: The store's number of the namespace.
    ///   - id: The event after which to begin.
    ///   - time: Milliseconds since 1970.
    /// - Throws: If the store cannot do it; none is removed then.
    /// - Returns: What was removed.
    func removeEvents(
        of key: Int64, after id: Int64, trackedBefore time: Int64
    ) throws(EventStoreError) -> EventAmount

    /// Reads the oldest events of a namespace that come after one, up to the first that was not tracked before a time, without
    /// a check.
    /// - Parameters:
    ///   - key: The store's number of the namespace.
    ///   - id: The event after which to begin.
    ///   - time: Milliseconds since 1970.
    ///   - limit: The most events and bytes; a first event is read however large it is.
    /// - Returns: The events; none if there are no more.
    /// - Throws: If the store cannot be read.
    func events(
        of key: Int64, after id: Int64, trackedBefore time: Int64, limit: EventAmount
    ) throws(EventStoreError) -> [StoredEvent]

    /// When the oldest event of a namespace was tracked, in milliseconds since 1970; nil without events.
    func oldestTime(of key: Int64) throws(EventStoreError) -> Int64?

    /// The namespaces that have events.
    func namespaces() throws(EventStoreError) -> [String]
}

extension EventStore {
    /// Reads the oldest events of a namespace, and checks each.
    package func events(
        of key: Int64, limit: EventAmount, except excluded: Set<Int64>
    ) throws(EventStoreError) -> StoredEvents {
        try events(of: key, from: .min, limit: limit, except: excluded)
    }
}

/// An error of an event store.
package struct EventStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    package let code: NamedCode<EventStoreError>

    /// The description of the failure, as a sentence.
    package let reason: String

    /// The error that led to this one; nil if there is none. Comparisons of errors ignore it.
    package var cause: (any Error)? { underlying.error }

    private let underlying: ErrorCause

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - reason: The description of the failure, as a sentence.
    ///   - cause: The error that led to this one; nil by default.
    package init(_ code: NamedCode<EventStoreError>, reason: String, cause: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        underlying = ErrorCause(cause)
    }

    /// The description of the failure, as a sentence.
    package var description: String { reason }
}

/// The kinds of error.
extension NamedCode<EventStoreError> {
    /// There is no room on the disk.
    package static var full: Self { Self(rawValue: "full") }

    /// The file is not a database or is damaged.
    package static var corrupt: Self { Self(rawValue: "corrupt") }

    /// The file or its directory cannot be opened or written.
    package static var unavailable: Self { Self(rawValue: "unavailable") }

    /// Another failure.
    package static var failed: Self { Self(rawValue: "failed") }
}
