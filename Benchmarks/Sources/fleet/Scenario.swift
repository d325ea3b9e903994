import TrackerConfig

/// What happens to a fleet: how its processes start, and what the origin does for a while.
struct Scenario: Sendable {
    /// How the origin fails.
    enum Outage: Sendable {
        /// It answers 503.
        case unavailable(retryAfter: Duration?)
        /// There is no answer; the process gives up after some time.
        case timeout(Double)
    }

    let name: String
    /// Processes start within these seconds, evenly.
    let startWindow: Double
    let outage: Outage?

    static let interval = 60.0
    static let outageSeconds = 900.0..<1500.0
    static let seconds = 3000

    static let outages = [
        Scenario(name: "503", startWindow: 60, outage: .unavailable(retryAfter: nil)),
        Scenario(name: "503, Retry-After: 120", startWindow: 60, outage: .unavailable(retryAfter: .seconds(120))),
        Scenario(name: "timeouts of 10 s", startWindow: 60, outage: .timeout(10)),
    ]
    static let herd = Scenario(name: "all within 5 s", startWindow: 5, outage: nil)
}
