import TrackerTesting

@testable import TrackerCore

/// A simulated day of a namespace's delivery, in short: an hour in which all is well, two in which collectors fail, and two
/// in which they work again. It counts the requests and bytes of each hour, and checks them against a function of the settings.
struct DeliveryDay {
    /// What a collector does while it fails; `success` and `incomplete` take the events. The last five are about requests with
    /// one certain event, which come from a front before the collector.
    enum Fault: String, CaseIterable, Sendable {
        case success, badRequest, tooLarge, tooLargeBySize, tooManyWithDelay, unavailable, timeout, incomplete
        case refusesOne, findsOneTooLarge, failsForOne, resetsForOne, hangsForOne

        var isAboutOne: Bool {
            switch self {
            case .refusesOne, .findsOneTooLarge, .failsForOne, .resetsForOne, .hangsForOne: true
            default: false
            }
        }
    }

    struct Plan: Sendable, CustomStringConvertible {
        var fault: Fault
        var seed: UInt64 = 1

        var description: String { "\(fault), seed \(seed)" }
    }

    /// What happened in an hour.
    struct Hour {
        var requests = 0
        var bytes = 0
        /// How often events came.
        var batches = 0
        var tracked = 0
        var trackedBytes = 0
        var settled = 0
        var settledBytes = 0
    }

    private static let hour: Int64 = 3_600_000
    private static let hourCount = 5
    private static let fault = hour..<3 * hour
    private static let emitRange = 50
    private static let byteLimit = 50_000
    private static let burst = 200
    /// The largest body that ``Fault/tooLargeBySize`` takes.
    private static let collectorLimit = 5_000
    /// The place in a burst of the event that a front does not let through.
    private static let poisoned = 77
    /// The most requests that have an event, but for those that a front does not let through.
    private static let mostSends = 12
    private static let maxRetryDelay: Int64 = 60_000
    private static let timeout: Int64 = 30_000
    private static let small = [UInt8](repeating: 0x20, count: 500)
    private static let large = [UInt8](repeating: 0x20, count: 20_000)

    let plan: Plan
    private(set) var hours: [Hour] = []
    private(set) var violations: [String] = []
    private(set) var stored: [StoredEvent] = []

    private let settings: EffectiveSettings
    private var state = DeliveryState(namespace: "ns")
    private var random: SeededRandom
    private var now: Int64 = 0
    private var timer: Int64?
    private var load: DeliveryState.Load?
    private var flights: [(due: Int64, request: CollectorRequest)] = []
    /// The events that a front does not let through while it fails.
    private var poison: Set<Int64> = []
    /// How many requests had each event, by its id.
    private var sends: [Int] = [0]
    private(set) var dropped: [Int64: DropReason] = [:]
    /// When each event was tracked, by its id.
    private var times: [Int64] = [0]
    private var counts = Hour()
    /// The last requests, which are used again for the same events.
    private var planned: (ids: [Int64], requests: [CollectorRequest])?

    init(_ plan: Plan) throws {
        self.plan = plan
        settings = try EffectiveSettings.sample {
            $0.network?.endpoint = "https://0.example"
            $0.emitter?.emitRange = Self.emitRange
            $0.emitter?.byteLimitPost = Self.byteLimit
        }
        random = SeededRandom(seed: plan.seed)
        state.settings = settings
        run()
    }

    private mutating func run() {
        send { $0.settingsChanged(queued: $1) }
        var arrival = Int64(random.next() % 60_000)
        var burst = Self.hour / 2
        // Two minutes after the fault the rate is back.
        let checks = (1...Self.hourCount).map { Int64($0) * Self.hour } + [Self.fault.upperBound + 120_000]
        for check in checks.sorted() {
            while true {
                let answer = flights.map(\.due).min() ?? .max
                let next = min(load == nil ? .max : now, answer, timer ?? .max, arrival, burst)
                guard next < check else { break }
                now = max(now, next)
                if load != nil {
                    finishLoad()
                } else if next == answer {
                    finishRequest()
                } else if next == timer {
                    timer = nil
                    send { $0.timerFired(queued: $1) }
                } else if next == arrival {
                    track(1)
                    arrival += 60_000
                } else {
                    if plan.fault.isAboutOne { poison.insert(Int64(times.count + Self.poisoned)) }
                    track(Self.burst)
                    burst += Self.hour
                }
            }
            now = check
            checkAges()
            if check % Self.hour == 0 { endHour() }
        }
    }

    private mutating func endHour() {
        let most = bound(of: hours.count)
        if counts.requests > most.requests { violate("\(counts.requests) requests, more than \(most.requests)") }
        if counts.bytes > most.bytes { violate("\(counts.bytes) bytes, more than \(most.bytes)") }
        hours.append(counts)
        counts = Hour()
    }

    private mutating func violate(_ text: String) { violations.append("hour \(hours.count): \(text)") }

    /// The most requests and bytes of an hour.
    ///
    /// What is settled needs requests of its own. While a collector fails, a namespace waits half of `maxRetryDelay` on average
    /// before each try; twice the average is allowed, and 40 tries for the shorter waits of the beginning. A refusal by size
    /// adds three requests for each event: with others, alone, and once more.
    private func bound(of hour: Int) -> (requests: Int, bytes: Int) {
        let needed = (counts.settled + Self.emitRange - 1) / Self.emitRange + counts.settledBytes / Self.byteLimit
        var requests = 2 * (needed + counts.batches)
        var bytes = 2 * (counts.settledBytes + counts.trackedBytes) + 1_000 * counts.batches
        if 1...3 ~= hour {
            let tries = Int(4 * Self.hour / Self.maxRetryDelay) + 40
            requests += tries
            bytes += tries * Self.byteLimit
            if plan.fault == .tooLargeBySize { requests += 3 * counts.tracked }
        }
        return (requests, bytes)
    }

    // MARK: Events

    private mutating func track(_ count: Int) {
        counts.batches += 1
        for _ in 0..<count {
            let id = Int64(times.count)
            let event = StoredEvent(id: id, isAnonymous: false, payload: id % 10 == 0 ? Self.large : Self.small)
            stored.append(event)
            times.append(now)
            sends.append(0)
            counts.tracked += 1
            counts.trackedBytes += event.payload.count
        }
        send { $0.eventsChanged(queued: $1) }
    }

    private mutating func finishLoad() {
        guard let load else { return }
        self.load = nil
        let (events, isLimited) = load.chosen(from: stored)
        let ids = events.map(\.id)
        if planned?.ids != ids { planned = (ids, CollectorRequest.plan(events, settings: load.settings)) }
        let requests = planned!.requests
        send { state, _ in state.requestsPlanned(requests, isLimited: isLimited) }
    }

    private mutating func finishRequest() {
        let index = flights.indices.min { flights[$0].due < flights[$1].due }!
        let flight = flights.remove(at: index)
        let answer = answer(to: flight.request)
        send { $0.responseReceived(answer.result, to: flight.request, queued: $1, wallTime: 0) }
    }

    private func answer(
        to request: CollectorRequest
    ) -> (after: Int64, result: Result<HTTPTransportResponse, HTTPTransportError>) {
        func status(_ status: Int, _ headers: [HTTPHeader] = []) -> Result<HTTPTransportResponse, HTTPTransportError> {
            .success(HTTPTransportResponse(status: status, headers: headers))
        }
        func failure(_ status: Int? = nil) -> Result<HTTPTransportResponse, HTTPTransportError> {
            .failure(HTTPTransportError(.failed, reason: "the test says so", status: status))
        }
        let isAffected = !plan.fault.isAboutOne || request.events.contains { poison.contains($0.id) }
        guard Self.fault.contains(now), isAffected else { return (50, status(200)) }
        return switch plan.fault {
        case .success: (50, status(200))
        case .badRequest: (50, status(400))
        case .tooLarge: (50, status(413))
        case .tooLargeBySize: (50, status(request.bodySize > Self.collectorLimit ? 413 : 200))
        case .tooManyWithDelay: (50, status(429, [HTTPHeader(name: "Retry-After", value: "100")]))
        case .unavailable: (50, status(503))
        case .timeout: (Self.timeout, failure())
        case .incomplete: (Self.timeout, failure(200))
        case .refusesOne: (50, status(403))
        case .findsOneTooLarge: (50, status(413))
        case .failsForOne: (50, status(500))
        case .resetsForOne: (50, failure())
        case .hangsForOne: (Self.timeout, failure())
        }
    }

    // MARK: Actions

    private mutating func send(_ event: (inout DeliveryState, Int) -> [DeliveryState.Action]) {
        state.uptime = .milliseconds(now)
        for action in event(&state, stored.count) { perform(action) }
    }

    private mutating func perform(_ action: DeliveryState.Action) {
        switch action {
        case .startTimer(let duration): timer = now + Int64((duration / .milliseconds(1)).rounded(.up))
        case .cancelTimer: timer = nil
        case .load(let load): self.load = load
        case .send(let request, _):
            counts.requests += 1
            counts.bytes += request.bodySize
            for event in request.events { sends[Int(event.id)] += 1 }
            flights.append((now + answer(to: request).after, request))
        case .endPass:
            let fraction = Double(random.next() % 1_000) / 1_000
            send { $0.passEnded(queued: $1, fraction: fraction) }
        case .delivered(let events): settle(events)
        case .drop(let events, let reason, _, _):
            for event in events { dropped[event.id] = reason }
            settle(events)
        case .cancelRequests, .resumeFlushes, .lookForEvents, .log, .logDetail: break
        }
    }

    private mutating func settle(_ events: [StoredEvent]) {
        for event in events {
            guard let index = index(of: event.id) else { continue }
            stored.remove(at: index)
            counts.settled += 1
            counts.settledBytes += event.payload.count
        }
    }

    private func index(of id: Int64) -> Int? {
        var (low, high) = (0, stored.count)
        while low < high {
            let middle = (low + high) / 2
            if stored[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < stored.count && stored[low].id == id ? low : nil
    }

    // MARK: Checks

    /// Nothing that can be delivered waits longer than two minutes, or than the passes before it take. An event that was set
    /// aside waits for an hour at most.
    private mutating func checkAges() {
        let isOver = now > Self.fault.upperBound
        let isDeliverable: (StoredEvent) -> Bool
        switch plan.fault {
        case .tooLargeBySize where Self.fault.contains(now - 1):
            isDeliverable = { $0.payload.count < Self.collectorLimit / 2 }
        case _ where plan.fault.isAboutOne && now < Self.fault.upperBound + Self.hour:
            isDeliverable = { [poison] in !poison.contains($0.id) }
        case _ where !Self.fault.contains(now - 1): isDeliverable = { _ in true }
        case .success, .incomplete, .badRequest: isDeliverable = { _ in true }
        default: return
        }
        guard let oldest = stored.first(where: isDeliverable) else { return }
        let passes = Int64(Self.burst / Self.emitRange) * 2
        let most = 120_000 + (isOver ? 0 : passes * Self.timeout)
        // What waited for the end of the fault has two minutes from then on.
        let tracked = times[Int(oldest.id)]
        let age = now - (isOver ? max(tracked, Self.fault.upperBound) : tracked)
        if age >= most { violate("event \(oldest.id) has waited \(age / 1_000) s, \(stored.count) events are stored") }
    }

    /// Checks at the end of a day with an event that a front does not let through what became of the others.
    mutating func checkOthers() {
        let lost = dropped.keys.filter { !poison.contains($0) }
        if !lost.isEmpty { violate("\(lost.count) other events were dropped") }
        let most = sends.indices.filter { !poison.contains(Int64($0)) }.map { sends[$0] }.max() ?? 0
        if most > Self.mostSends { violate("an event was sent \(most) times") }
    }
}

extension DeliveryState.Load {
    /// The events of a store that are to be sent, and whether there are more.
    func chosen(from stored: [StoredEvent]) -> (events: [StoredEvent], isLimited: Bool) {
        let others = stored.lazy.filter { !excluded.contains($0.id) }
        switch choice {
        case .oldest(let limit):
            let events = Array(others.prefix(limit.events + 1))
            return (Array(events.prefix(limit.events)), events.count > limit.events)
        case .single(let id): return (stored.filter { $0.id == id }, false)
        case .newest(let skipped):
            let others = Array(others)
            return (others.isEmpty ? [] : [others[max(0, others.count - 1 - skipped)]], false)
        }
    }
}
