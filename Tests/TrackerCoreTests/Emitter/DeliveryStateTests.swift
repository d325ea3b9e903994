import TestSupport
import Testing

@testable import TrackerCore

@Suite("DeliveryState", .endsWhenItHangs)
struct DeliveryStateTests {
    /// A delivery whose pass of one event is being loaded.
    private func loading() throws -> DeliveryState {
        var state = DeliveryState(namespace: "ns")
        state.settings = try EffectiveSettings.sample()
        _ = state.settingsChanged(queued: 0)
        _ = state.flush(1, queued: 1)
        _ = state.flushTimedOut(1)
        return state
    }

    private func event(_ id: Int) -> StoredEvent {
        StoredEvent(id: Int64(id), isAnonymous: false, payload: [UInt8](repeating: 0x20, count: 10))
    }

    /// Ends a pass of one event.
    /// - Returns: The wait for the next pass; nil if there is none.
    private func end(_ state: inout DeliveryState, _ status: Int, queued: Int = 1) throws -> Duration? {
        let requests = CollectorRequest.plan([event(1)], settings: try EffectiveSettings.sample())
        _ = state.requestsPlanned(requests, isLimited: false)
        _ = state.responseReceived(
            .success(HTTPTransportResponse(status: status)), to: requests[0], queued: queued,
            wallTime: 0)
        return state.passEnded(queued: queued, fraction: 0.5).wait
    }

    @Test("failures in a row wait longer; a success forgets them, a pass that only drops events does not")
    func backsOff() throws {
        var state = try loading()
        for wait in [50, 100, 200] {
            #expect(try end(&state, 503) == .milliseconds(wait))
            _ = state.timerFired(queued: 1)
        }
        _ = try end(&state, 400, queued: 0)
        _ = state.flush(7, queued: 1)
        #expect(try end(&state, 503) == .milliseconds(400))
        _ = state.timerFired(queued: 1)
        _ = try end(&state, 200, queued: 0)
        _ = state.flush(8, queued: 1)
        #expect(try end(&state, 503) == .milliseconds(50))
    }

    @Test("events that cannot be loaded are tried again after a back-off")
    func loadFailed() throws {
        var state = try loading()
        _ = state.loadFailed()
        let later = state.passEnded(queued: 1, fraction: 0.5)
        #expect(later.wait == .milliseconds(50))
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
    /// How long the next pass waits; nil without a timer.
    fileprivate var wait: Duration? {
        for case .startTimer(let duration) in self { return duration }
        return nil
    }
}
