@_spi(Tools) import TrackerConfig
import Workload

/// The requests that reach an origin in each second. Processes do not know of each other, so each is followed alone.
struct Simulation: Sendable {
    let scenario: Scenario
    private(set) var requests = [Int](repeating: 0, count: Scenario.seconds)
    private let processes: Int

    init(_ scenario: Scenario, processes: Int, seed: Int) {
        self.scenario = scenario
        self.processes = processes
        var random = SeededRandom(seed: seed)
        for _ in 0..<processes { follow(&random) }
    }

    /// Requests per second where nothing fails and all processes have drifted apart.
    var normal: Double { Double(processes) / Scenario.interval }

    /// Seconds, from the end of the outage, with more than twice the normal requests.
    var crowdedAfterOutage: [Int] {
        (Int(Scenario.outageSeconds.upperBound)..<requests.count).filter { Double(requests[$0]) > 2 * normal }
    }

    /// The first minute from which on no second has more than twice the normal requests; nil where there is none.
    var calmMinute: Int? {
        let last = requests.lastIndex { Double($0) > 2 * normal } ?? -1
        return last == requests.count - 1 ? nil : (last + 60) / 60
    }

    /// The mean and the most per second, of some seconds.
    func load(_ seconds: Range<Int>) -> (mean: Int, most: Int) {
        let part = requests[seconds]
        return (Int((Double(part.reduce(0, +)) / Double(part.count)).rounded()), part.max() ?? 0)
    }

    private mutating func follow(_ random: inout SeededRandom) {
        var schedule = Internals.Polling(interval: .seconds(Scenario.interval))
        var time = scenario.startWindow * random.next()
        while time < Double(requests.count) {
            requests[Int(time)] += 1
            let isDown = Scenario.outageSeconds.contains(time)
            let wait: Duration
            switch scenario.outage {
            case .unavailable(let retryAfter) where isDown:
                wait = schedule.wait(hasFailed: true, retryAfter: retryAfter, fraction: random.next())
            case .timeout(let seconds) where isDown:
                time += seconds
                wait = schedule.wait(hasFailed: true, fraction: random.next())
            default: wait = schedule.wait(hasFailed: false, fraction: random.next())
            }
            time += wait / .seconds(1)
        }
    }
}
