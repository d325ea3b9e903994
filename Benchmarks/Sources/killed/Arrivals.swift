import Synchronization

/// What reached the collector.
final class Arrivals: Sendable {
    struct State: Sendable {
        /// The requests that an event came in, by its id.
        var requests: [String: [Int]] = [:]
        var count = 0
    }

    private let state = Mutex(State())
    private static let marker = Array("\"eid\":\"".utf8)

    /// Reads the ids out of a request's body.
    func take(_ body: UnsafeRawBufferPointer) {
        var ids: [String] = []
        var place = 0
        while place + Self.marker.count + 36 <= body.count {
            if body[place] == Self.marker[0], body[place..<place + Self.marker.count].elementsEqual(Self.marker) {
                place += Self.marker.count
                ids.append(String(decoding: body[place..<place + 36], as: UTF8.self))
                place += 36
            } else {
                place += 1
            }
        }
        state.withLock { state in
            for id in ids { state.requests[id, default: []].append(state.count) }
            state.count += 1
        }
    }

    var all: State { state.withLock { $0 } }
}
