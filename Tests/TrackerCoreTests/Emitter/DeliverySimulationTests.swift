import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

/// Random walks through the delivery of a namespace, which check after each step what must always hold.
@Suite("DeliveryState under random events", .endsWhenItHangs)
struct DeliverySimulationTests {
    @Test("never two passes, never a request while paused, bounded back-offs, each event once, and every flush ends")
    func walks() throws {
        var missed = Set(DeliverySimulation.Reached.allCases)
        for seed in 1...UInt64(Search.count(4)) {
            var simulation = try DeliverySimulation(seed: Search.seed(seed))
            for step in 1...10_000 where simulation.violations.isEmpty {
                simulation.step()
                if !simulation.violations.isEmpty {
                    Issue.record("seed \(seed), step \(step): \(simulation.violations)")
                }
            }
            simulation.finish()
            #expect(simulation.violations == [], "seed \(seed)")
            #expect(simulation.stored.map(\.id) == [])
            #expect(simulation.removed.count == simulation.tracked, "every event came to an end once")
            missed.subtract(simulation.reached)
        }
        // The walks reached what they are to check.
        #expect(missed == [])
    }

    @Test("a shutdown at any moment ends the pass and all flushes, and nothing is sent after it")
    func shutsDown() throws {
        for seed in 1...UInt64(Search.count(20)) {
            var simulation = try DeliverySimulation(seed: Search.seed(seed))
            for _ in 1...Int(50 + seed * 7 % 200) { simulation.step() }
            simulation.shutDown()
            #expect(simulation.violations == [], "seed \(seed)")
        }
    }
}

/// What surrounds a delivery, in miniature: the events, the clock, the requests under way.
private struct DeliverySimulation {
    enum Reached: CaseIterable {
        case waiting, backingOff, dropped, retryAfter, parallel, outdated, pausedInPass, flush
        case witness, turn, setAside
    }

    private(set) var violations: [String] = []
    private(set) var stored: [StoredEvent] = []
    private(set) var removed: Set<Int64> = []
    private(set) var tracked = 0
    private(set) var reached: Set<Reached> = []

    private var state = DeliveryState(namespace: "ns")
    private var random: SeededRandom
    private let choices: [EffectiveSettings]
    private var uptime = Duration.seconds(1)
    private var timer: Duration?
    private var load: DeliveryState.Load?
    private var loaded: Set<Int64> = []
    private var underWay: [CollectorRequest] = []
    private var flushes: Set<UInt64> = []
    private var nextFlush: UInt64 = 0
    private var longestRetryAfter = Duration.zero
    private var isShutDown = false
    /// Whether the delivery was told of the last change of its settings.
    private var isTold = true

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        choices = try (0..<6).map { number in
            try EffectiveSettings.sample {
                $0.network?.endpoint = "https://\(number % 3).example"
                if number == 5 { $0.network?.method = .get }
                $0.emitter?.threadPoolSize = 1 + number % 3
                $0.emitter?.emitRange = 1 + number * 3
                $0.emitter?.maxRetryDelay = .seconds(1 + number)
                $0.emitter?.byteLimitPost = 1_000
                $0.emitter?.bufferOption = number % 2 == 0 ? .largeGroup : .single
            }
        }
    }

    mutating func step() {
        switch random.next() % 24 {
        // The queue is often short, so that events wait for others.
        case 0...3: track()
        case 4...5: loseOldest()
        case 6...8: fireTimer()
        case 9: if timer == nil { send { $0.timerFired(queued: $1) } }  // One that was cancelled too late.
        case 10...12: finishLoad()
        case 13...17: answer()
        case 18: if random.next() % 6 == 0 { change { $0.settings = $1 } }
        case 19:
            let isPaused = random.next() % 4 == 0
            change { state, _ in state.isPaused = isPaused }
        case 20:
            // A tracker is removed, or made anew.
            let isRemoved = random.next() % 4 == 0
            change { state, settings in
                if isRemoved { state.settings = nil } else if state.settings == nil { state.settings = settings }
            }
        case 21: tell()
        case 22: if random.next() % 4 == 0 { flush() }
        default:
            if let id = flushes.sorted().randomElement(using: &random) { send { state, _ in state.flushTimedOut(id) } }
        }
        check()
    }

    /// Answers all requests by success until nothing is left.
    mutating func finish() {
        state.settings = choices[0]
        state.isPaused = false
        tell()
        for _ in 1...10_000 where !stored.isEmpty || state.isInPass {
            finishLoad(canFail: false)
            answer(200)
            fireTimer()
        }
        check()
        if !flushes.isEmpty { violations.append("flushes \(flushes) never end") }
    }

    mutating func shutDown() {
        isShutDown = true
        send { state, _ in state.shutDown() }
        if !flushes.isEmpty { violations.append("flushes outlive the shutdown") }
        for _ in 1...50 { step() }
        finishLoad()
        while !underWay.isEmpty { answer(nil) }
        if state.isInPass { violations.append("the pass never ends") }
        if timer != nil { violations.append("a timer outlives the shutdown") }
    }

    // MARK: Events

    private mutating func track() {
        guard stored.count < 15 else { return }
        for _ in 0...random.next() % 4 {
            tracked += 1
            let filler = String(repeating: "x", count: Int(random.next() % 300))
            stored.append(
                StoredEvent(
                    id: Int64(tracked), isAnonymous: random.next() % 8 == 0,
                    payload: Array(#"{"e":"pv","url":"\#(filler)"}"#.utf8)))
        }
        send { $0.eventsChanged(queued: $1) }
    }

    /// The bounds of the storage drop the oldest event that is not being sent.
    private mutating func loseOldest() {
        guard let index = stored.firstIndex(where: { !loaded.contains($0.id) }) else { return }
        remove([stored[index]])
        send { $0.eventsChanged(queued: $1) }
    }

    private mutating func fireTimer() {
        guard let deadline = timer else { return }
        uptime = max(uptime, deadline)
        timer = nil
        send { $0.timerFired(queued: $1) }
    }

    private mutating func change(_ body: (inout DeliveryState, EffectiveSettings) -> Void) {
        body(&state, choices[Int(random.next() % UInt64(choices.count))])
        isTold = false
        if state.isInPass && state.isPaused { reached.insert(.pausedInPass) }
        // Sometimes the delivery is told later.
        if random.next() % 3 > 0 { tell() }
    }

    private mutating func tell() {
        let (network, wasBackingOff) = (state.network, isBackingOff)
        isTold = true
        send { $0.settingsChanged(queued: $1) }
        guard state.maySend else { return }
        if wasBackingOff, network != state.network, isBackingOff {
            violations.append("a new endpoint waits for the back-off of the old one")
        }
    }

    private mutating func flush() {
        nextFlush += 1
        let id = nextFlush
        flushes.insert(id)
        reached.insert(.flush)
        send { $0.flush(id, queued: $1) }
    }

    private mutating func finishLoad(canFail: Bool = true) {
        guard let load else { return }
        self.load = nil
        if canFail, random.next() % 8 == 0 {
            return send { state, _ in state.loadFailed() }
        }
        let (events, isLimited) = load.chosen(from: stored)
        loaded = Set(events.map(\.id))
        let requests = CollectorRequest.plan(events, settings: load.settings)
        send { state, _ in state.requestsPlanned(requests, isLimited: isLimited) }
    }

    private mutating func answer() {
        let statuses: [Int?] = [200, 200, 200, 200, 503, 503, 503, 413, 400, nil]
        answer(statuses[Int(random.next() % UInt64(statuses.count))])
    }

    /// Answers one of the requests under way; nil fails it.
    private mutating func answer(_ status: Int?) {
        guard !underWay.isEmpty else { return }
        let request = underWay.remove(at: Int(random.next() % UInt64(underWay.count)))
        var response: Result<HTTPTransportResponse, HTTPTransportError> = .failure(
            HTTPTransportError(random.next() % 2 == 0 ? .cancelled : .failed, reason: "the test says so"))
        if let status {
            var headers: [HTTPHeader] = []
            if status == 503, random.next() % 4 == 0 {
                let seconds = Int(random.next() % 900)
                headers = [HTTPHeader(name: "Retry-After", value: "\(seconds)")]
                longestRetryAfter = max(longestRetryAfter, .seconds(min(seconds, 600)))
                reached.insert(.retryAfter)
            }
            response = .success(HTTPTransportResponse(status: status, headers: headers))
        }
        send { $0.responseReceived(response, to: request, queued: $1, wallTime: 0) }
    }

    // MARK: Actions

    private mutating func send(_ event: (inout DeliveryState, Int) -> [DeliveryState.Action]) {
        uptime += .milliseconds(Int64(random.next() % 2_000))
        state.uptime = uptime
        for action in event(&state, stored.count) { perform(action) }
    }

    private mutating func perform(_ action: DeliveryState.Action) {
        switch action {
        case .startTimer(let duration):
            let settings = state.settings?.emitter
            let bound = max(
                DeliveryState.interval, settings?.maxRetryDelay ?? .seconds(60), longestRetryAfter,
                isDrained ? Isolation.turnWaits.longest : .zero)
            if duration < .zero || duration > bound { violations.append("waits \(duration)") }
            if timer != nil { violations.append("a second timer") }
            if isBackingOff { reached.insert(.backingOff) } else { reached.insert(.waiting) }
            timer = uptime + duration
        case .cancelTimer:
            if timer == nil { violations.append("cancels no timer") }
            timer = nil
        case .load(let next):
            if load != nil || !underWay.isEmpty || !loaded.isEmpty { violations.append("two passes") }
            if !state.maySend || isShutDown { violations.append("begins a pass while it may not send") }
            if stored.isEmpty { violations.append("begins a pass without events") }
            if timer != nil { violations.append("a pass beside a timer") }
            if let id = next.turn, !next.excluded.contains(id) { violations.append("a turn of no event") }
            if next.turn != nil { reached.insert(.turn) }
            if next.isWitness { reached.insert(.witness) }
            if !state.isolation.setAside.isEmpty { reached.insert(.setAside) }
            load = next
        case .send(let request, let settings):
            if !state.maySend || isShutDown { violations.append("sends while it may not") }
            underWay.append(request)
            if underWay.count > settings.emitter.threadPoolSize ?? 1 { violations.append("too many requests") }
            if underWay.count > 1 { reached.insert(.parallel) }
            if request.events.contains(where: { !loaded.contains($0.id) }) {
                violations.append("sends events that are not loaded")
            }
        case .cancelRequests: break
        case .endPass:
            if !underWay.isEmpty || load != nil { violations.append("ends a pass that is under way") }
            if state.isOutdated { reached.insert(.outdated) }
            loaded = []
            let fraction = Double(random.next() % 1_000) / 1_000
            send { $0.passEnded(queued: $1, fraction: fraction) }
            longestRetryAfter = .zero
        case .deliver(let events): remove(events)
        case .drop(let events, _, _, _):
            reached.insert(.dropped)
            remove(events)
        case .resumeFlushes(let ids):
            for id in ids where flushes.remove(id) == nil { violations.append("resumes flush \(id) twice") }
        case .lookForEvents, .log, .logDetail: break
        }
    }

    private mutating func remove(_ events: [StoredEvent]) {
        let ids = Set(events.map(\.id))
        if !removed.isDisjoint(with: ids) { violations.append("removes events twice") }
        removed.formUnion(ids)
        loaded.subtract(ids)
        stored.removeAll { ids.contains($0.id) }
    }

    private var isBackingOff: Bool { if case .backingOff = state.phase { true } else { false } }
    private var isDrained: Bool { if case .drained = state.phase { true } else { false } }

    /// Checks what must hold between events.
    private mutating func check() {
        let isInPass = load != nil || !underWay.isEmpty
        if state.isInPass != isInPass { violations.append("\(state.phase) but a pass: \(isInPass)") }
        guard isTold else { return }
        if !state.maySend, timer != nil { violations.append("a timer while it may not send") }
        if !state.maySend, !flushes.isEmpty { violations.append("a flush while it may not send") }
        if state.maySend, !stored.isEmpty, !isInPass, timer == nil { violations.append("events are forgotten") }
        if stored.isEmpty, !flushes.isEmpty, !isInPass { violations.append("a flush without events") }
    }
}
