import TrackerTesting

@testable import TrackerCore

/// A simulated day of delivery: an hour in which all is well, 21 hours in which collectors fail, and two in which they work
/// again. It counts the requests and bytes of each hour, and checks them against a function of the settings.
struct DeliveryDay {
    /// What a collector does while it fails; `success` and `incomplete` take the events.
    enum Fault: String, CaseIterable, Sendable {
        case success, redirect, badRequest, forbidden, tooLarge, tooLargeBySize, tooMany, tooManyWithDelay
        case serverError, unavailable, reset, timeout, deadName, incomplete
    }

    /// A fault of the delivery itself, made on purpose, which shows that the checks find it.
    enum Sabotage: String, CaseIterable, Sendable {
        /// A change of the collector resets the back-off.
        case resetsBackoff
        /// The limit of bodies that a refusal taught never grows.
        case keepsBodyLimit
        /// Events that are refused alone are part of each pass.
        case forgetsRefusals
    }

    struct Plan: Sendable, CustomStringConvertible {
        var fault: Fault
        var collectors = 1
        /// Whether only the first collector fails.
        var hasFallback = false
        /// Whether 200 events come at once in each hour, beside one a minute.
        var hasBursts = false
        var namespaces = 1
        var sabotage: Sabotage?

        var description: String {
            "\(fault), \(collectors) collectors\(hasFallback ? ", one fails" : ""), \(hasBursts ? "bursts" : "single events"), "
                + "\(namespaces) namespaces"
        }
    }

    /// What happened in an hour, in all namespaces.
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

    static let hour: Int64 = 3_600_000
    static let fault = hour..<22 * hour
    static let emitRange = 50
    static let byteLimit = 50_000
    static let burst = 200
    static let smallSize = 500
    static let largeSize = 20_000
    /// The largest body that ``Fault/tooLargeBySize`` takes.
    static let collectorLimit = 5_000
    static let maxRetryDelay: Int64 = 60_000
    static let timeout: Int64 = 30_000

    let plan: Plan
    private(set) var hours = [Hour](repeating: Hour(), count: 24)
    /// What was found, with the hour of the first finding.
    private(set) var violations: [(hour: Int, text: String)] = []

    init(_ plan: Plan) throws {
        self.plan = plan
        let settings = try EffectiveSettings.sample {
            $0.network?.endpoint = "https://0.example"
            $0.network?.fallbackEndpoints = (1..<3).prefix(plan.collectors - 1).map { "https://\($0).example" }
            $0.emitter?.emitRange = Self.emitRange
            $0.emitter?.byteLimitPost = Self.byteLimit
        }
        for seed in 1...UInt64(plan.namespaces) {
            var namespace = NamespaceDay(plan, settings, seed: seed)
            namespace.run(&hours, &violations)
        }
        for (hour, counts) in hours.enumerated() {
            let most = bound(of: hour, counts)
            if counts.requests > most.requests {
                violations.append((hour, "\(counts.requests) requests, more than \(most.requests)"))
            }
            if counts.bytes > most.bytes { violations.append((hour, "\(counts.bytes) bytes, more than \(most.bytes)")) }
        }
        violations.sort { $0.hour < $1.hour }
    }

    /// The most requests and bytes of an hour.
    ///
    /// What is settled needs requests of its own. While a collector fails, a namespace waits half of `maxRetryDelay` on average
    /// before each try, and as long before each try of an event that is refused alone; twice the average is allowed, and 40
    /// tries for the shorter waits of the beginning. A refusal by size adds a request for each event, and the halves of what
    /// two passes hold.
    private func bound(of hour: Int, _ counts: Hour) -> (requests: Int, bytes: Int) {
        let needed = (counts.settled + Self.emitRange - 1) / Self.emitRange + counts.settledBytes / Self.byteLimit
        var requests = 2 * (needed + counts.batches)
        var bytes = 2 * (counts.settledBytes + counts.trackedBytes) + 1_000 * counts.batches
        let isFaulty = 1...22 ~= hour
        if isFaulty {
            let tries = Int(4 * Self.hour / Self.maxRetryDelay) + 40
            let kinds = plan.fault == .tooLarge || plan.fault == .tooLargeBySize ? 2 : 1
            requests += plan.namespaces * tries * kinds
            bytes += plan.namespaces * tries * Self.byteLimit
            if kinds == 2 { requests += 2 * counts.tracked + plan.namespaces * 4 * Self.emitRange }
        }
        return (requests, bytes)
    }
}

/// A namespace's delivery through the day: its events, its clock and its requests.
private struct NamespaceDay {
    private let plan: DeliveryDay.Plan
    private let settings: EffectiveSettings
    private var state = DeliveryState()
    private var random: SeededRandom
    private var now: Int64 = 0
    private var timer: Int64?
    private var load: DeliveryState.Load?
    private var flights: [(due: Int64, request: CollectorRequest, collector: Int)] = []
    private var stored: [StoredEvent] = []
    /// When each event was tracked, by its id.
    private var times: [Int64] = [0]
    private var isWaiting = false
    private var hour = DeliveryDay.Hour()
    private var violations: [(hour: Int, text: String)] = []
    private let small = [UInt8](repeating: 0x20, count: DeliveryDay.smallSize)
    private let large = [UInt8](repeating: 0x20, count: DeliveryDay.largeSize)
    /// The last plan, which is used again for the same events.
    private var planned: (ids: [Int64], limit: Int?, requests: [CollectorRequest])?
    private var smallestLimit = Int.max

    init(_ plan: DeliveryDay.Plan, _ settings: EffectiveSettings, seed: UInt64) {
        (self.plan, self.settings) = (plan, settings)
        random = SeededRandom(seed: seed)
        state.settings = settings
    }

    mutating func run(_ hours: inout [DeliveryDay.Hour], _ found: inout [(hour: Int, text: String)]) {
        send { $0.settingsChanged(queued: $1) }
        var arrival = Int64(random.next() % 60_000)
        var burst = DeliveryDay.hour / 2
        // Two minutes after the fault the rate is back.
        let checks = (1...24).map { Int64($0) * DeliveryDay.hour } + [DeliveryDay.fault.upperBound + 120_000]
        for check in checks.sorted() {
            while true {
                let answer = flights.map(\.due).min() ?? .max
                let next = min(load == nil ? .max : now, answer, timer ?? .max, arrival, plan.hasBursts ? burst : .max)
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
                    track(DeliveryDay.burst)
                    burst += DeliveryDay.hour
                }
            }
            now = check
            checkAges()
            let index = Int((check - 1) / DeliveryDay.hour)
            hours[index].add(hour)
            hour = DeliveryDay.Hour()
        }
        found += violations
    }

    private var isFaulty: Bool { DeliveryDay.fault.contains(now) }

    // MARK: Events

    private mutating func track(_ count: Int) {
        hour.batches += 1
        for _ in 0..<count {
            let id = Int64(times.count)
            let event = StoredEvent(id: id, isAnonymous: false, payload: id % 10 == 0 ? large : small)
            stored.append(event)
            times.append(now)
            hour.tracked += 1
            hour.trackedBytes += event.payload.count
        }
        send { $0.eventsChanged(queued: $1) }
    }

    private mutating func finishLoad() {
        guard let load else { return }
        self.load = nil
        var events: [StoredEvent] = []
        var isLimited = false
        if let id = load.single {
            if let index = index(of: id) { events.append(stored[index]) }
        } else {
            for event in stored where !load.excluded.contains(event.id) {
                isLimited = events.count == load.limit.events
                if isLimited { break }
                events.append(event)
            }
        }
        let ids = events.map(\.id)
        if planned == nil || planned!.ids != ids || planned!.limit != load.knownLimit {
            let requests = CollectorRequest.plan(events, settings: load.settings, knownLimit: load.knownLimit)
            planned = (ids, load.knownLimit, requests)
        }
        let requests = planned!.requests
        send { state, _ in state.requestsPlanned(requests, isLimited: isLimited) }
    }

    private mutating func finishRequest() {
        let index = flights.indices.min { flights[$0].due < flights[$1].due }!
        let flight = flights.remove(at: index)
        let answer = answer(to: flight.request, collector: flight.collector)
        send { $0.responseReceived(answer.result, to: flight.request, isCurrent: true, queued: $1, wallTime: 0) }
    }

    private func answer(
        to request: CollectorRequest, collector: Int
    ) -> (after: Int64, result: Result<HTTPTransportResponse, HTTPTransportError>) {
        func status(_ status: Int, _ headers: [HTTPHeader] = []) -> Result<HTTPTransportResponse, HTTPTransportError> {
            .success(HTTPTransportResponse(status: status, headers: headers))
        }
        func failure(_ status: Int? = nil) -> Result<HTTPTransportResponse, HTTPTransportError> {
            .failure(HTTPTransportError(.failed, reason: "the test says so", status: status))
        }
        guard isFaulty, collector == 0 || !plan.hasFallback else { return (50, status(200)) }
        return switch plan.fault {
        case .success: (50, status(200))
        case .redirect: (50, status(301))
        case .badRequest: (50, status(400))
        case .forbidden: (50, status(403))
        case .tooLarge: (50, status(413))
        case .tooLargeBySize: (50, status(request.bodySize > DeliveryDay.collectorLimit ? 413 : 200))
        case .tooMany: (50, status(429))
        case .tooManyWithDelay: (50, status(429, [HTTPHeader(name: "Retry-After", value: "100")]))
        case .serverError: (50, status(500))
        case .unavailable: (50, status(503))
        case .reset: (10, failure())
        case .timeout: (DeliveryDay.timeout, failure())
        case .deadName: (5_000, failure())
        case .incomplete: (DeliveryDay.timeout, failure(200))
        }
    }

    // MARK: Actions

    private mutating func send(_ event: (inout DeliveryState, Int) -> [DeliveryState.Action]) {
        state.uptime = .milliseconds(now)
        let collector = state.choice.current
        let actions = event(&state, stored.count)
        switch plan.sabotage {
        case .resetsBackoff: if state.choice.current != collector { state.backoff.reset() }
        case .keepsBodyLimit:
            smallestLimit = min(smallestLimit, state.bodyLimit ?? .max)
            if smallestLimit < .max { state.bodyLimit = smallestLimit }
        case .forgetsRefusals: state.setAside = SetAsideEvents()
        case nil: break
        }
        for action in actions { perform(action) }
    }

    private mutating func perform(_ action: DeliveryState.Action) {
        switch action {
        case .startTimer(let duration): timer = now + Int64((duration / .milliseconds(1)).rounded(.up))
        case .cancelTimer: timer = nil
        case .load(let load): self.load = load
        case .send(let request, let endpoint, _):
            hour.requests += 1
            hour.bytes += request.bodySize
            let collector = settings.endpoints.firstIndex { $0.text == endpoint.text } ?? 0
            flights.append((now + answer(to: request, collector: collector).after, request, collector))
        case .endPass:
            let fraction = Double(random.next() % 1_000) / 1_000
            send { $0.passEnded(queued: $1, fraction: fraction) }
        case .deliver(let events), .drop(let events, _, _, _):
            for event in events {
                guard let index = index(of: event.id) else { continue }
                stored.remove(at: index)
                hour.settled += 1
                hour.settledBytes += event.payload.count
            }
        case .cancelRequests, .retry, .resumeFlushes, .lookForEvents, .report, .log, .logDetail: break
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

    /// Nothing that can be delivered waits longer than two minutes, or than the passes before it take.
    private mutating func checkAges() {
        let isOver = now > DeliveryDay.fault.upperBound
        let isDeliverable: (StoredEvent) -> Bool
        switch plan.fault {
        case .tooLargeBySize where DeliveryDay.fault.contains(now - 1):
            isDeliverable = { $0.payload.count < DeliveryDay.collectorLimit / 2 }
        case _ where !DeliveryDay.fault.contains(now - 1) || plan.hasFallback: isDeliverable = { _ in true }
        case .success, .incomplete, .badRequest, .forbidden: isDeliverable = { _ in true }
        default: return
        }
        guard let oldest = stored.first(where: isDeliverable) else { return }
        let passes = plan.hasBursts ? Int64(DeliveryDay.burst / DeliveryDay.emitRange) * 2 : 2
        let most = 120_000 + (isOver ? 0 : passes * DeliveryDay.timeout)
        // What waited for the end of the fault has two minutes from then on.
        let age = now - (isOver ? max(times[Int(oldest.id)], DeliveryDay.fault.upperBound) : times[Int(oldest.id)])
        guard age >= most else { return }
        let hour = Int((now - 1) / DeliveryDay.hour)
        violations.append((hour, "event \(oldest.id) has waited \(age / 1_000) s, \(stored.count) events are stored"))
    }
}

extension DeliveryDay.Hour {
    fileprivate mutating func add(_ other: DeliveryDay.Hour) {
        requests += other.requests
        bytes += other.bytes
        batches += other.batches
        tracked += other.tracked
        trackedBytes += other.trackedBytes
        settled += other.settled
        settledBytes += other.settledBytes
    }
}
