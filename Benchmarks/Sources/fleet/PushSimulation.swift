@_spi(Tools) import TrackerConfig
import TrackerFeatures
import Workload

/// The requests that reach an origin, and the connections that reach a push server, in each second. Each process is followed alone,
/// by the lifecycle of a setup.
struct PushSimulation: Sendable {
    let scenario: PushScenario
    private(set) var requests: [Int]
    private(set) var connections: [Int]
    private let processes: Int

    init(_ scenario: PushScenario, processes: Int, seed: Int) {
        (self.scenario, self.processes) = (scenario, processes)
        requests = Array(repeating: 0, count: scenario.seconds)
        connections = requests
        var random = SeededRandom(seed: seed)
        for _ in 0..<processes {
            var process = Process(scenario, &random)
            process.run(&self, &random)
        }
    }

    /// Requests per second where nothing fails and all processes have drifted apart.
    var normal: Double { Double(processes) / scenario.interval }

    /// The requests of the busiest second from the moment on, times normal.
    var most: Double { Double(requests[Int(begin)...].max() ?? 0) / normal }

    /// The connections that the push server is asked for in the busiest second after it is back.
    var mostConnections: Int { connections[Int(scenario.death.upperBound)...].max() ?? 0 }

    private var begin: Double { scenario.hint == nil ? scenario.death.lowerBound : PushScenario.moment }

    /// One process, and what it waits for.
    private struct Process {
        private enum Happening: Int, CaseIterable {
            case wait, answer, opened, hinted, lost
        }

        private let scenario: PushScenario
        private let life: Internals.Fetching
        /// When each happening is due, in seconds.
        private var due = Array(repeating: Double.infinity, count: Happening.allCases.count)
        private let start: Double

        init(_ scenario: PushScenario, _ random: inout SeededRandom) {
            self.scenario = scenario
            life = Internals.Fetching(interval: .seconds(scenario.interval))
            start = scenario.interval * random.next()
            // Hints reach one process after the other.
            if scenario.hint != nil { self[.hinted] = PushScenario.moment + 0.2 * random.next() }
            if !scenario.death.isEmpty { self[.lost] = scenario.death.lowerBound + 0.2 * random.next() }
        }

        private subscript(happening: Happening) -> Double {
            get { due[happening.rawValue] }
            set { due[happening.rawValue] = newValue }
        }

        mutating func run(_ fleet: inout PushSimulation, _ random: inout SeededRandom) {
            handle(.started, at: start, &fleet, &random)
            while let (index, time) = due.enumerated().min(by: { $0.element < $1.element }),
                time < Double(fleet.requests.count), let happening = Happening(rawValue: index)
            {
                self[happening] = .infinity
                for event in events(of: happening, at: time) { handle(event, at: time, &fleet, &random) }
            }
        }

        private func events(of happening: Happening, at time: Double) -> [Internals.Fetching.Event] {
            switch happening {
            case .wait: [.elapsed]
            case .answer: [.fetched]
            case .opened where scenario.death.contains(time), .lost:
                [.disconnected(FetchError(.transport, reason: "the push server is dead"))]
            case .opened: [.hinted(ChangeHint())]
            case .hinted: scenario.hint.map { [.hinted($0)] } ?? []
            }
        }

        private mutating func handle(
            _ event: Internals.Fetching.Event, at time: Double, _ fleet: inout PushSimulation,
            _ random: inout SeededRandom
        ) {
            let (fetches, connections) = (life.fetches, life.connections)
            life.handle(event, at: time, random: random.nextWord())
            if life.fetches > fetches {
                fleet.requests[Int(time)] += 1
                self[.answer] = time + PushScenario.delay
            }
            if life.connections > connections {
                fleet.connections[Int(time)] += 1
                self[.opened] = time + PushScenario.delay
            }
            self[.wait] = life.next
        }
    }
}
