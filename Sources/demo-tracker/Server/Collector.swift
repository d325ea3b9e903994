import Foundation
import TrackerLoopbackServer
import TrackerCore

/// A Snowplow collector that keeps what it receives, to show and to test it.
final class Collector: Sendable {
    /// How much has come in.
    struct Counts: Sendable, Equatable {
        /// Events taken, also those that are no longer kept.
        var events = 0
        /// Requests answered 400, because they had no events.
        var rejected = 0
    }

    private struct State {
        var kept: NewestEvents
        var counts = Counts()
    }

    private let state: Locked<State>

    /// Keeps the newest events, 10,000 by default.
    init(capacity: Int = 10_000) {
        state = Locked(State(kept: NewestEvents(capacity: capacity)))
    }

    /// Takes the events of `POST /VENDOR/VERSION` and `GET /i`; nil for every other request.
    func reply(to request: ServerRequest) -> ServerReply? {
        if request.method == "GET", request.path == "/i" {
            let event = ReceivedEvent(query: request.query)
            return keep(event.map { [$0] }) ? answer(Self.pixel, type: "image/gif") : refusal
        }
        if request.method == "POST", isCollectorPath(request.path) {
            let events = ReceivedEvent.events(inEnvelope: request.body)
            return keep(events) ? answer(Array("ok".utf8), type: "text/plain") : refusal
        }
        return nil
    }

    /// The events that are kept, oldest first.
    func events() -> [ReceivedEvent] {
        state.withLock { $0.kept.all }
    }

    /// The events that are kept, oldest first, which are then forgotten; the counts go on.
    func take() -> [ReceivedEvent] {
        state.withLock { state in
            defer { state.kept.removeAll() }
            return state.kept.all
        }
    }

    /// How much has come in since the start.
    var counts: Counts {
        state.withLock(\.counts)
    }

    private func isCollectorPath(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0].isEmpty && !parts[1].isEmpty && !parts[2].isEmpty
    }

    /// Returns false if there is nothing to keep.
    private func keep(_ events: [ReceivedEvent]?) -> Bool {
        state.withLock { state in
            guard let events else {
                state.counts.rejected += 1
                return false
            }
            state.counts.events += events.count
            for event in events { state.kept.append(event) }
            return true
        }
    }

    private func answer(_ body: [UInt8], type: String, status: Int = 200) -> ServerReply {
        .response(status: status, headers: [("Content-Type", type)], body: body)
    }

    private var refusal: ServerReply {
        answer(Array("no events".utf8), type: "text/plain", status: 400)
    }

    /// A transparent GIF of one pixel, which is what browsers expect from `/i`.
    private static let pixel: [UInt8] = [
        0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0x01, 0x00, 0x01, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00,
        0xff, 0xff, 0xff, 0x21, 0xf9, 0x04, 0x01, 0x00, 0x00, 0x00, 0x00, 0x2c, 0x00, 0x00, 0x00, 0x00,
        0x01, 0x00, 0x01, 0x00, 0x00, 0x02, 0x02, 0x44, 0x01, 0x00, 0x3b,
    ]
}
