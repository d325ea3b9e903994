package import FoundationEssentials

/// A failure of the event store. Until it ends, events are kept in memory.
package struct EventStoreFailure: Sendable, Equatable, Encodable {
    /// The time when it began.
    package var since: Date

    /// The reason, as a sentence in lower case and without a full stop.
    package var text: String

    /// Creates a failure.
    /// - Parameters:
    ///   - since: The time when it began.
    ///   - text: The reason, as a sentence in lower case and without a full stop.
    package init(since: Date, text: String) {
        self.since = since
        self.text = text
    }
}
