/// The setting that determines whether events that are never sent are kept.
///
/// ```swift
/// options.deadLetters = .file(maxBytes: 16 << 20, maxAge: .seconds(7 * 86_400))
/// ```
public struct DeadLetters: Sendable, Hashable {
    /// The bounds of the dead letters of a service.
    struct Bounds: Sendable, Hashable {
        let maxBytes: Int
        let maxAge: Duration

        /// The time of the oldest drop that is kept, in milliseconds since 1970.
        func oldest(at time: Int64) -> Int64 { time - Int64(maxAge / .milliseconds(1)) }
    }

    /// nil keeps nothing.
    let bounds: Bounds?

    /// Dropped events are not kept.
    public static let off = DeadLetters(bounds: nil)

    /// Dropped events are kept in a file of the service, `dead-letters.sqlite` in its state directory, so that they
    /// survive the process. The events are those that ``Tracker/onDrop(_:)`` receives. `tracker-config events` lists,
    /// exports and resends them.
    ///
    /// All processes of the service use the same file. If a bound is exceeded, the earliest dropped events are removed.
    /// - Parameters:
    ///   - maxBytes: The maximum size of the events' payloads in the file, in bytes; 1,000 … 1,099,511,627,776 (1 TiB),
    ///     clamped; 67,108,864 (64 MiB) by default.
    ///   - maxAge: The time since the drop after which an event is removed; 1 s … 10 years, clamped; 30 days by
    ///     default.
    /// - Returns: The option.
    public static func file(maxBytes: Int = 64 << 20, maxAge: Duration = .seconds(30 * 86_400)) -> DeadLetters {
        DeadLetters(
            bounds: Bounds(
                maxBytes: min(max(maxBytes, 1_000), 1 << 40), maxAge: min(max(maxAge, .seconds(1)), .tenYears)))
    }
}
