import TrackerCore
import TrackerLoopbackServer

/// A collector of the demonstration, which can be out of order.
final class DemoCollector: Sendable {
    private struct State {
        var isOutOfOrder = false
        var refusals = 0
    }

    /// What the demonstration calls it.
    let name: String

    private let collector: Collector
    private let server: LoopbackServer
    private let state: Locked<State>

    /// Starts a collector on a free port of loopback.
    /// - Parameters:
    ///   - name: What the demonstration calls it.
    ///   - answer: Answers a request while the collector works; by default as a collector that keeps all events.
    /// - Throws: If no port can be had.
    init(
        _ name: String,
        answer: @escaping @Sendable (Collector, ServerRequest) -> ServerReply? = { $0.reply(to: $1) }
    ) throws(ServerError) {
        let (collector, state) = (Collector(), Locked(State()))
        (self.name, self.collector, self.state) = (name, collector, state)
        server = try LoopbackServer { request in
            let isRefused = state.withLock { state in
                if state.isOutOfOrder { state.refusals += 1 }
                return state.isOutOfOrder
            }
            if isRefused { return .response(status: 503) }
            return answer(collector, request) ?? .response(status: 404)
        }
    }

    /// The address.
    var url: String { server.url }

    /// The requests that were answered 503 so far, because the collector was out of order.
    var refusals: Int { state.withLock(\.refusals) }

    /// Answers each request with 503 from now on, or works again.
    func setOutOfOrder(_ isOutOfOrder: Bool) {
        state.withLock { $0.isOutOfOrder = isOutOfOrder }
    }

    /// The events since the last call, oldest first.
    func take() -> [ReceivedEvent] { collector.take() }

    /// Closes the port.
    func stop() { server.stop() }
}
