import TrackerConfig

/// What became of the events of trackers in each minute of the last hour.
struct DeliveryHour {
    private static let minute = 60_000
    private static let count = 60

    /// When the first minute began, in milliseconds since 1970.
    private let start: Int
    private var minutes = Array(repeating: DeliveryRates(), count: count)

    /// Sums samples.
    /// - Parameters:
    ///   - trackers: The trackers.
    ///   - now: The time, in milliseconds since 1970; its minute is the last one.
    init(_ trackers: [TrackerStatus], now: Int) {
        start = (now / Self.minute - Self.count + 1) * Self.minute
        for sample in trackers.lazy.flatMap(\.samples) {
            let time = Int(sample.time?.milliseconds ?? 0)
            let index = (time - start) / Self.minute
            if time >= start, minutes.indices.contains(index) { minutes[index].add(sample) }
        }
    }

    /// The beginning, and for each minute the numbers of events that were sent, failed and dropped.
    var json: JSONValue {
        [
            "start": .int(start),
            "minutes": .array(minutes.map { [.int($0.sent), .int($0.failed), .int($0.dropped)] }),
        ]
    }
}
