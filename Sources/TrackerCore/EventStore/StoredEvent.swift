/// An unsent event as a store holds it.
package struct StoredEvent: Sendable, Equatable {
    /// Its number within the store; a later event has a higher one.
    package let id: Int64

    /// Whether it was tracked under server anonymisation.
    package let isAnonymous: Bool

    /// The JSON object that will be sent.
    package let payload: [UInt8]
}

/// What a store reads for a pass: events, and rows that are damaged.
package struct StoredEvents: Sendable {
    package var events: [StoredEvent] = []

    /// The ids of rows that failed their check; they are to be removed and counted.
    package var damaged: [Int64] = []

    /// Whether the limit ended the reading and not the last row.
    package var isLimited = false
}
