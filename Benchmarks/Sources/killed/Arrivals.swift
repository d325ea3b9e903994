import Synchronization

/// What reached the collector.
final class Arrivals: Sendable {
    /// A request, by the child that sent it and its place among that child's requests.
    struct Request: Hashable, Comparable, Sendable {
        let child: Int
        let place: Int

        static func < (one: Request, other: Request) -> Bool {
            (one.child, one.place) < (other.child, other.place)
        }
    }

    struct State: Sendable {
        /// The requests that an event came in, by its id.
        var requests: [String: [Request]] = [:]
        /// How many requests each child sent.
        var counts: [Int: Int] = [:]

        /// Whether an event came again only because its request was in flight when its child was killed.
        ///
        /// A child sends one request at a time, so one that it sent another after was answered, and its events removed.
        func isExcused(_ requests: [Request]) -> Bool {
            requests.sorted().dropLast().allSatisfy { $0.place + 1 == counts[$0.child] }
        }
    }

    private let state = Mutex(State())
    private static let marker = Array("\"eid\":\"".utf8)

    /// Reads the ids out of the body of a child's request.
    func take(_ body: UnsafeRawBufferPointer, of child: Int) {
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
            let request = Request(child: child, place: state.counts[child, default: 0])
            state.counts[child] = request.place + 1
            for id in ids { state.requests[id, default: []].append(request) }
        }
    }

    var all: State { state.withLock { $0 } }
}
