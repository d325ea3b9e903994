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
        let life = Internals.Fetching(interval: .seconds(scenario.interval))
        for _ in 0..<processes {
            var process = Process(scenario, life, &random)
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
            case poll, hint, connection, answer, opened, hinted, lost
        }

        private let scenario: PushScenario
        private var life: Internals.Fetching
        /// When each happening is due, in seconds.
        private var due = Array(repeating: Double.infinity, count: Happening.allCases.count)
        private let start: Double

        init(_ scenario: PushScenario, _ life: Internals.Fetching, _ random: inout SeededRandom) {
            (self.scenario, self.life) = (scenario, life)
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
            case .poll: [.elapsed(.poll)]
            case .hint: [.elapsed(.hint)]
            case .connection: [.elapsed(.connection)]
            case .answer: [.fetched(nil)]
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
            for action in life.handle(event, at: .seconds(time), random: random.nextWord()) {
                switch action {
                case .fetch:
                    fleet.requests[Int(time)] += 1
                    self[.answer] = time + PushScenario.delay
                case .connect:
                    fleet.connections[Int(time)] += 1
                    self[.opened] = time + PushScenario.delay
                case .wait(let wait, let duration): due[wait.rawValue] = time + duration / .seconds(1)
                case .cancel(let wait): due[wait.rawValue] = .infinity
                }
            }
        }
    }
}
