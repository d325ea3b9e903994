import TrackerConfig
import TrackerFeatures

/// What happens to a fleet that listens to a push server, and polls beside it.
struct PushScenario: Sendable {
    let name: String
    /// Seconds between two polls.
    var interval = 60.0
    /// The hint of the push server, once; nil for none.
    var hint: ChangeHint?
    /// When the push server is dead; it loses all connections at the beginning.
    var death = 0.0..<0.0
    /// Whether a second of it may have at most twice the requests of normal operation.
    var isBarred = true

    /// When the push server sends its hint, and when it dies, in seconds from the start, which all have drifted apart from by then.
    static let moment = 300.0
    /// Each connection and each answer takes so many seconds.
    static let delay = 0.05

    /// The seconds that are followed.
    var seconds: Int { Int(max(Self.moment, death.upperBound) + 4 * interval) }

    static func all(processes: Int) -> [PushScenario] {
        let byNumber = ChangeHint(spread: .seconds(1) * processes / 1000)
        return [
            PushScenario(name: "hint, no spread", hint: ChangeHint(), isBarred: false),
            PushScenario(
                name: "hint, spread of a tenth of the interval", hint: ChangeHint(spread: .seconds(6)), isBarred: false),
            PushScenario(name: "hint, spread of 1.25 intervals", hint: ChangeHint(spread: .seconds(75))),
            PushScenario(name: "hint, spread by the number of subscribers", hint: byNumber),
            PushScenario(name: "push server restarted within 1 s", death: moment..<moment + 1),
            PushScenario(name: "push server dead for 10 s", death: moment..<moment + 10),
            PushScenario(name: "push server dead for 10 min", death: moment..<moment + 600),
            PushScenario(
                name: "push server dead for 600 s, polls every 300 s", interval: 300, death: 900..<1500,
                isBarred: false),
        ]
    }
}
