/// Why an event is never sent.
@nonexhaustive
public enum DropReason: String, Sendable, Hashable, CaseIterable, Codable, CodingKeyRepresentable {
    /// The tracker was paused.
    case paused
    /// The tracker was removed.
    case removed
    /// A plugin kept the event back.
    case filtered
    /// The event could not be written.
    case invalid
    /// The SDK was shut down.
    case shutDown
    /// The tracker was inherited by a forked process.
    case forked
    /// More events came than the store's thread could take.
    case queueFull
    /// The store held as many events as it may; the oldest gave way.
    case storeFull
    /// The event was older than it may be.
    case expired
    /// The collector refused the event.
    case rejected
    /// The event was larger than a request may be, and the collector did not take it.
    case oversized
    /// A request failed and is not to be tried again.
    case notRetried
    /// Code asked for it.
    case cleared
    /// The event was in a part of the store's file that was damaged.
    case damaged
    /// The event was in memory only when the SDK was shut down.
    case notStored
}

extension DropReason {
    /// How severe a loss for this reason is in the log. What code asked for is no failure.
    package var logLevel: LogLevel {
        switch self {
        case .rejected, .oversized, .notRetried, .storeFull, .queueFull, .expired, .damaged, .notStored, .invalid:
            .error
        case .shutDown, .forked: .warning
        case .paused, .removed, .filtered, .cleared: .debug
        }
    }
}

extension DropReason {
    /// Whether the event is lost, and not kept back because code asked for it.
    package var isLoss: Bool { logLevel <= .warning }

    /// Whether ``Tracker/onDrop(_:)`` and dead letters get the events: those that were written, and that are not dropped
    /// because code asked for it.
    package var isReported: Bool {
        switch self {
        case .rejected, .oversized, .notRetried, .expired, .storeFull, .queueFull, .damaged, .notStored: true
        case .paused, .removed, .filtered, .invalid, .shutDown, .forked, .cleared: false
        }
    }
}

extension DropReason: Error {}
