/// The reason why an event is never sent.
@nonexhaustive
public enum DropReason: String, Sendable, Hashable, CaseIterable, Encodable, CodingKeyRepresentable, Error {
    /// The tracker was paused.
    case paused
    /// The tracker was removed.
    case removed
    /// A plugin filtered out the event.
    case filtered
    /// The event could not be encoded.
    case invalid
    /// The SDK was shut down.
    case shutDown
    /// Events were tracked faster than the store's thread could store them.
    case queueFull
    /// The store was full, and the oldest events were removed.
    case storeFull
    /// The event was older than the limit.
    case expired
    /// The collector rejected the event.
    case rejected
    /// The event was larger than the limit of a request, and the collector did not accept it.
    case oversized
    /// A request failed and must not be retried.
    case notRetried
    /// Code removed the event.
    case cleared
    /// The event was in a part of a file that was damaged.
    case damaged
    /// The event was in memory only when the SDK was shut down.
    case notStored

    /// The log level of drops for this reason. Drops that the service requested are not failures.
    package var logLevel: LogLevel {
        switch self {
        case .rejected, .oversized, .notRetried, .storeFull, .queueFull, .expired, .damaged, .notStored, .invalid:
            .error
        case .shutDown, .removed: .warning
        case .paused, .filtered, .cleared: .debug
        }
    }

    /// Whether the event is lost, and not left out at the request of code.
    package var isLoss: Bool { logLevel <= .warning }

    /// Whether ``Tracker/onDrop(_:)`` and dead letters receive the events: those that can be read, and that are not
    /// dropped at the request of code.
    package var isReported: Bool {
        switch self {
        case .rejected, .oversized, .notRetried, .expired, .storeFull, .notStored: true
        case .queueFull, .paused, .removed, .filtered, .invalid, .shutDown, .cleared, .damaged: false
        }
    }
}
