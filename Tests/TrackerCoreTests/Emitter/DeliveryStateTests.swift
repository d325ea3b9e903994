import TestSupport
import Testing

@testable import TrackerCore

@Suite("DeliveryState")
struct DeliveryStateTests {
    /// The actions that begin something, as tables write them.
    private enum Start: Equatable {
        case none
        case pass
        case timer(Duration)
    }

    enum Kind: CaseIterable {
        case idle
        case waiting
        case sending
        case backingOff
    }

    private func start(_ actions: [DeliveryState.Action]) -> Start {
        var starts: [Start] = []
        for action in actions {
            switch action {
            case .load: starts.append(.pass)
            case .startTimer(let duration): starts.append(.timer(duration))
            default: break
            }
        }
        #expect(starts.count <= 1)
        return starts.first ?? .none
    }

    private func kind(_ state: DeliveryState) -> Kind? {
        switch state.phase {
        case .idle: .idle
        case .waiting: .waiting
        case .loading, .sending, .ending: .sending
        case .backingOff, .drained: .backingOff
        case .stopped: nil
        }
    }

    private func settings(_ endpoint: String = "https://one.example") throws -> EffectiveSettings {
        try EffectiveSettings.sample { $0.network?.endpoint = endpoint }
    }

    private func state(_ kind: Kind) throws -> DeliveryState {
        var state = DeliveryState()
        state.settings = try settings()
        _ = state.settingsChanged(queued: 0)
        switch kind {
        case .idle: break
        case .waiting: _ = state.eventsChanged(queued: 1)
        case .sending, .backingOff:
            _ = state.flush(1, queued: 1)
            _ = state.flushTimedOut(1)
        }
        if kind == .backingOff { _ = try end(&state, 503) }
        #expect(self.kind(state) == kind)
        return state
    }

    /// Ends a pass of one event.
    private func end(
        _ state: inout DeliveryState, _ status: Int, retryAfter: String? = nil, queued: Int = 1,
        isLimited: Bool = false
    ) throws -> [DeliveryState.Action] {
        let event = StoredEvent(id: 1, isAnonymous: false, payload: Array(#"{"e":"pv"}"#.utf8))
        let requests = CollectorRequest.plan([event], settings: try settings())
        _ = state.requestsPlanned(requests, isLimited: isLimited)
        let headers = retryAfter.map { [HTTPHeader(name: "Retry-After", value: $0)] } ?? []
        _ = state.responseReceived(
            .success(HTTPTransportResponse(status: status, headers: headers)), to: requests[0], isCurrent: true,
            queued: queued, wallTime: 0)
        return state.passEnded(queued: queued, fraction: 0.5)
    }

    @Test("if as many events are set aside as may be, one more makes the namespace back off", arguments: [true, false])
    func boundsSetAside(isFull: Bool) throws {
        // Events as large as a request may be, so that each has one.
        let settings = try EffectiveSettings.sample { $0.emitter?.byteLimitPost = 1000 }
        var state = DeliveryState()
        state.settings = settings
        _ = state.settingsChanged(queued: 0)
        let count = SetAsideEvents.maxCount - (isFull ? 0 : 1)
        for id in 0..<count { _ = state.setAside.add(Int64(id)) }
        state.setAside.postpone(isTurn: true, at: .zero, fraction: 0.5, retryAfter: nil, most: .seconds(60))
        _ = state.flush(1, queued: count + 2)
        let events = [count, count + 1].map {
            StoredEvent(id: Int64($0), isAnonymous: false, payload: [UInt8](repeating: 32, count: 600))
        }
        let requests = CollectorRequest.plan(events, settings: settings)
        try #require(requests.count == 2)
        _ = state.requestsPlanned(requests, isLimited: false)
        for (request, status) in zip(requests, [200, 413]) {
            _ = state.responseReceived(
                .success(HTTPTransportResponse(status: status)), to: request, isCurrent: true, queued: count + 2,
                wallTime: 0)
        }
        _ = state.passEnded(queued: count + 1, fraction: 0.5)
        #expect(state.setAside.ids.count == SetAsideEvents.maxCount)
        #expect(state.setAside.ids.contains(Int64(count + 1)) == !isFull)
        #expect(state.consecutiveFailures == (isFull ? 1 : 0))
    }

    @Test("stored events start the timer, and enough of them a pass, unless one runs or must wait")
    func eventsStored() throws {
        let table: [(Kind, few: Start, enough: Start)] = [
            (.idle, .timer(.seconds(1)), .pass), (.waiting, .none, .pass), (.sending, .none, .none),
            (.backingOff, .none, .none),
        ]
        for (kind, few, enough) in table {
            var state = try state(kind)
            #expect(start(state.eventsChanged(queued: 9)) == few)
            state = try self.state(kind)
            #expect(start(state.eventsChanged(queued: 10)) == enough)
            state = try self.state(kind)
            #expect(start(state.eventsChanged(queued: 0)) == .none)
            #expect(self.kind(state) == kind)
        }
    }

    @Test("the timer starts a pass if one is waited for, and none without events")
    func timerFired() throws {
        let table: [(Kind, Start)] = [
            (.idle, .none), (.waiting, .pass), (.sending, .none), (.backingOff, .pass),
        ]
        for (kind, expected) in table {
            var state = try state(kind)
            #expect(start(state.timerFired(queued: 1)) == expected)
            state = try self.state(kind)
            #expect(start(state.timerFired(queued: 0)) == .none)
            #expect(self.kind(state) == (kind == .sending ? .sending : .idle))
        }
    }

    @Test("a flush starts a pass at once, even in a back-off, and never a second one", arguments: Kind.allCases)
    func flush(kind: Kind) throws {
        var state = try state(kind)
        #expect(start(state.flush(7, queued: 1)) == (kind == .sending ? .none : .pass))
        #expect(self.kind(state) == .sending)
        state = try self.state(kind)
        let actions = state.flush(7, queued: 0)
        #expect(start(actions) == .none)
        #expect(actions.resumed == [7])
    }

    @Test("after a pass the rest is sent at once, waits for others, or for the back-off")
    func passEnded() throws {
        let table: [(status: Int, retryAfter: String?, isLimited: Bool, queued: Int, isFlushing: Bool, Start, Kind)] = [
            (200, nil, false, 0, false, .none, .idle), (200, nil, true, 0, true, .none, .idle),
            (200, nil, true, 1, false, .pass, .sending), (200, nil, false, 1, true, .pass, .sending),
            (200, nil, false, 9, false, .timer(.seconds(1)), .waiting), (200, nil, false, 10, false, .pass, .sending),
            (503, nil, false, 5, false, .timer(.milliseconds(50)), .backingOff),
            (503, nil, false, 5, true, .timer(.milliseconds(50)), .backingOff),
            (503, "9", false, 5, true, .timer(.seconds(9)), .backingOff),
        ]
        for (status, retryAfter, isLimited, queued, isFlushing, expected, kind) in table {
            var state = try state(.sending)
            if isFlushing { _ = state.flush(7, queued: 1) }
            let actions = try end(&state, status, retryAfter: retryAfter, queued: queued, isLimited: isLimited)
            #expect(start(actions) == expected)
            #expect(self.kind(state) == kind)
            #expect(actions.resumed == (isFlushing && queued == 0 ? [7] : []))
        }
    }

    @Test("failures in a row wait longer, and a success forgets them")
    func backsOff() throws {
        var state = try state(.sending)
        for wait in [50, 100, 200, 400] {
            #expect(start(try end(&state, 503)) == .timer(.milliseconds(wait)))
            #expect(start(state.timerFired(queued: 1)) == .pass)
        }
        _ = try end(&state, 200, queued: 0)
        _ = state.flush(7, queued: 1)
        #expect(start(try end(&state, 503)) == .timer(.milliseconds(50)))
    }

    @Test("a pass that drops events does not forget failures, because it delivers none")
    func keepsBackoffWithoutDelivery() throws {
        var state = try state(.sending)
        for _ in 1...2 {
            _ = try end(&state, 503)
            _ = state.timerFired(queued: 1)
        }
        _ = try end(&state, 400, queued: 0)
        #expect(state.consecutiveFailures == 2)
        _ = state.flush(7, queued: 1)
        #expect(start(try end(&state, 503)) == .timer(.milliseconds(200)))
    }

    @Test("events that cannot be loaded are tried again after a back-off, and at once from a new store")
    func loadFailed() throws {
        var state = try state(.sending)
        _ = state.loadFailed(isReplaced: false)
        #expect(start(state.passEnded(queued: 1, fraction: 0.5)) == .timer(.milliseconds(50)))
        state = try self.state(.sending)
        _ = state.loadFailed(isReplaced: true)
        #expect(start(state.passEnded(queued: 1, fraction: 0.5)) == .pass)
    }

    @Test("while paused nothing starts, and resuming sends what there is", arguments: Kind.allCases, [true, false])
    func pauses(kind: Kind, isTold: Bool) throws {
        var state = try state(kind)
        _ = state.flush(7, queued: kind == .sending ? 1 : 0)
        state.isPaused = true
        // The pipeline may see the change later than events.
        if isTold { #expect(state.settingsChanged(queued: 1).resumed == (kind == .sending ? [7] : [])) }
        #expect(start(state.eventsChanged(queued: 100)) == .none)
        #expect(start(state.timerFired(queued: 100)) == .none)
        let flush = state.flush(8, queued: 100)
        #expect(start(flush) == .none)
        #expect(flush.resumed == [8])
        if kind == .sending {
            var other = state
            other.isPaused = false
            #expect(start(other.settingsChanged(queued: 1)) == .none, "the pass of before is under way")
            #expect(start(try end(&state, 200, queued: 9, isLimited: true)) == .none)
        }
        _ = state.settingsChanged(queued: 1)
        state.isPaused = false
        #expect(start(state.settingsChanged(queued: 1)) == .pass)
        #expect(start(state.settingsChanged(queued: 1)) == .none)
    }

    @Test("a pass that fails while paused starts no timer")
    func failsWhilePaused() throws {
        var state = try state(.sending)
        state.isPaused = true
        _ = state.settingsChanged(queued: 1)
        #expect(start(try end(&state, 503, retryAfter: "5")) == .none)
        state.isPaused = false
        #expect(start(state.settingsChanged(queued: 1)) == .pass)
    }

    @Test("new network settings end a back-off at once, and make nothing of a pass by the old ones")
    func followsNetwork() throws {
        var state = try state(.backingOff)
        state.settings = try settings("https://two.example")
        let actions = state.settingsChanged(queued: 1)
        #expect(start(actions) == .pass)
        #expect(actions.contains { if case .cancelTimer = $0 { true } else { false } })
        #expect(state.consecutiveFailures == 0)
        state.settings = try settings("https://three.example")
        #expect(start(state.settingsChanged(queued: 1)) == .none)
        #expect(start(try end(&state, 503, retryAfter: "500")) == .pass, "the failure was another collector's")
        #expect(state.consecutiveFailures == 0)
    }

    @Test("the answers for events of a store that was replaced change nothing, and its other requests are not sent")
    func ignoresOutdatedEvents() throws {
        var state = try state(.sending)
        let events = (1...3).map { StoredEvent(id: $0, isAnonymous: false, payload: Array(#"{"e":"pv"}"#.utf8)) }
        let settings = try EffectiveSettings.sample { $0.network?.method = .get }
        let requests = CollectorRequest.plan(events, settings: settings)
        #expect(requests.count == 3)
        #expect(state.requestsPlanned(requests, isLimited: false).sent == 1)
        let actions = state.responseReceived(
            .success(HTTPTransportResponse(status: 200)), to: requests[0], isCurrent: false, queued: 3,
            wallTime: 0)
        #expect(actions.count == 1)
        guard case .endPass = actions.first else {
            Issue.record("the pass goes on")
            return
        }
    }

    @Test("after a shutdown nothing starts", arguments: Kind.allCases)
    func shutsDown(kind: Kind) throws {
        var state = try state(kind)
        let actions = state.shutDown()
        #expect(start(actions) == .none)
        if kind == .sending { #expect(start(try end(&state, 200, queued: 9, isLimited: true)) == .none) }
        #expect(start(state.settingsChanged(queued: 9)) == .none)
        #expect(start(state.eventsChanged(queued: 100)) == .none)
        #expect(start(state.timerFired(queued: 9)) == .none)
        #expect(state.flush(7, queued: 9).resumed == [7])
    }
}

extension EffectiveSettings {
    /// Settings of a sample bundle.
    static func sample(_ configure: (inout ConfigurationBundle) -> Void = { _ in }) throws -> EffectiveSettings {
        var bundle = ConfigurationBundle.sample()
        configure(&bundle)
        var layers = TrackerLayers()
        layers.adopt(default: bundle, remote: nil, origin: LayerOrigin())
        return try EffectiveSettings(namespace: bundle.namespace, layers: layers)
    }
}

extension [DeliveryState.Action] {
    /// The flushes that are over.
    fileprivate var resumed: [UInt64] {
        flatMap { action in if case .resumeFlushes(let ids) = action { ids } else { [] as [UInt64] } }
    }

    /// The number of requests that are sent.
    fileprivate var sent: Int { count { if case .send = $0 { true } else { false } } }
}
