import TrackerConfig

/// What happens to a fleet that listens to a push server, and polls beside it.
struct PushScenario: Sendable {
    let name: String
    /// Seconds between two polls.
    var interval = 60.0
    /// What the push server says, once; nil for nothing.
    var signal: SourceSignal?
    /// When the push server is dead; it loses all connections at the beginning.
    var death = 0.0..<0.0
    /// Whether a second of it may have at most twice the requests of normal operation.
    var isBarred = true

    /// When the push server signals, and when it dies, in seconds from the start, which all have drifted apart from by then.
    static let moment = 300.0
    /// Each connection and each answer takes so many seconds.
    static let delay = 0.05

    /// The seconds that are followed.
    var seconds: Int { Int(max(Self.moment, death.upperBound) + 4 * interval) }

    static func all(processes: Int) -> [PushScenario] {
        func signal(spread: Duration?, subscribers: Int? = nil) -> SourceSignal {
            var signal = SourceSignal.changed()
            (signal.spread, signal.subscribers) = (spread, subscribers)
            return signal
        }
        return [
            PushScenario(name: "signal, no spread", signal: signal(spread: nil), isBarred: false),
            PushScenario(
                name: "signal, spread of a tenth of the interval", signal: signal(spread: .seconds(6)), isBarred: false),
            PushScenario(name: "signal, spread of 1.25 intervals", signal: signal(spread: .seconds(75))),
            PushScenario(
                name: "signal, by the number of subscribers", signal: signal(spread: nil, subscribers: processes)),
            PushScenario(name: "push server restarted within 1 s", death: moment..<moment + 1),
            PushScenario(name: "push server dead for 10 s", death: moment..<moment + 10),
            PushScenario(name: "push server dead for 10 min", death: moment..<moment + 600),
            PushScenario(
                name: "push server dead for 600 s, polls every 300 s", interval: 300, death: 900..<1500,
                isBarred: false),
        ]
    }
}
