import TrackerCore
import TrackerLoopbackServer

/// A collector of the demonstration that can be made to fail.
final class DemoCollector: Sendable {
    struct State {
        /// Whether each request is answered with 503.
        var isOutOfOrder = false
        /// The number of requests that were answered with 503.
        var refusals = 0
        var events: [EventPayload] = []
    }

    let state: Locked<State>
    let server: LoopbackServer

    /// Starts a collector on a free port of loopback.
    /// - Parameter keepsEvents: Whether it keeps the events that it accepted; true by default.
    /// - Throws: If no port is free.
    init(keepsEvents: Bool = true) throws(ServerError) {
        let state = Locked(State())
        self.state = state
        server = try LoopbackServer { request in
            state.withLock { state in
                if state.isOutOfOrder {
                    state.refusals += 1
                    return .response(status: 503)
                }
                guard let (reply, events) = Collector.answer(request) else { return .response(status: 404) }
                if keepsEvents { state.events += events }
                return reply
            }
        }
    }

    /// The events since the last call, oldest first.
    func take() -> [EventPayload] {
        var events: [EventPayload] = []
        state.withLock { swap(&events, &$0.events) }
        return events
    }
}
