import TestSupport
import Testing

@testable import TrackerCore

@Suite("CollectorRequest", .endsWhenItHangs)
struct CollectorRequestTests {
    private func event(_ id: Int64, _ text: String = "x") -> StoredEvent {
        StoredEvent(id: id, isAnonymous: false, payload: Array(#"{"e":"pv","eid":"1","url":"\#(text)"}"#.utf8))
    }

    private func plan(_ events: [StoredEvent], byteLimit: Int) throws -> [CollectorRequest] {
        CollectorRequest.plan(events, settings: try EffectiveSettings.sample { $0.emitter?.byteLimitPost = byteLimit })
    }

    private func bodySize(_ events: [StoredEvent]) throws -> Int {
        let settings = try EffectiveSettings.sample()
        let request = try plan(events, byteLimit: 100_000_000)[0]
        return request.httpRequest(settings, sentAt: 1_700_000_000_000).body?.count ?? 0
    }

    @Test("headers of the settings do not double those that describe the body", arguments: [false, true])
    func describesBodyOnce(isCompressed: Bool) throws {
        let settings = try EffectiveSettings.sample {
            $0.network?.requestHeaders = ["content-type", "Content-Encoding", "SP-ANONYMOUS", "X-Own"].map {
                HTTPHeader(name: $0, value: "own")
            }
            $0.network?.compression = isCompressed
        }
        let event = StoredEvent(id: 1, isAnonymous: true, payload: event(1).payload)
        let request = CollectorRequest.plan([event], settings: settings)[0]
        let headers = request.httpRequest(settings, sentAt: 0).headers
        #expect(
            headers.map { "\($0.name.lowercased()): \($0.value)" }.sorted().filter { !$0.hasPrefix("user-agent") }
                == (isCompressed ? ["content-encoding: gzip"] : []) + [
                    "content-type: application/json; charset=utf-8", "sp-anonymous: *", "x-own: own",
                ])
    }

    @Test("a body may be as large as the limit, and one byte less is too little")
    func splitsAtTheByte() throws {
        let events = (1...3).map { event(Int64($0), String(repeating: "a", count: 500 + $0)) }
        let size = try bodySize(events)
        let whole = try plan(events, byteLimit: size)
        #expect(whole.map(\.events) == [events])
        #expect(whole.map(\.isOversized) == [false])
        let divided = try plan(events, byteLimit: size - 1)
        #expect(divided.map(\.events) == [Array(events.dropLast()), [events[2]]])
        #expect(!divided.contains { $0.isOversized })
    }

    @Test("one event is oversized from the first byte over the limit, goes alone and as POST")
    func findsOversizedEvents() throws {
        let large = event(2, String(repeating: "a", count: 2000))
        let size = try bodySize([large])
        #expect(try plan([large], byteLimit: size).map(\.isOversized) == [false])
        let requests = try plan([event(1), large, event(3)], byteLimit: size - 1)
        #expect(requests.count == 2)
        #expect(requests.first { $0.isOversized }?.events == [large])
        #expect(requests.first { !$0.isOversized }?.events == [event(1), event(3)])
    }

    @Test("a GET's URL may be as long as the limit; beyond, the event is sent as an oversized POST")
    func boundsQueries() throws {
        let long = event(1, String(repeating: "é", count: 300))
        func only(limit: Int) throws -> (isOversized: Bool, http: HTTPTransportRequest) {
            let settings = try EffectiveSettings.sample {
                $0.network?.method = .get
                $0.emitter?.byteLimitGet = limit
            }
            let plan = CollectorRequest.plan([long], settings: settings)
            #expect(plan.count == 1)
            let http = plan[0].httpRequest(settings, sentAt: 1_700_000_000_000)
            return (plan[0].isOversized, http)
        }
        let length = try only(limit: 40_000).http.url.utf8.count
        for (limit, isOversized) in [(length, false), (length - 1, true)] {
            let request = try only(limit: limit)
            #expect(request.isOversized == isOversized)
            #expect(request.http.method == (isOversized ? "POST" : "GET"))
        }
    }

    @Test("a body that is split is sent in as many requests as it needs, each within the limit")
    func splitsLongQueues() throws {
        let events = (1...60).map { event(Int64($0), String(repeating: "a", count: $0 * 7 % 400)) }
        let requests = try plan(events, byteLimit: 2000)
        #expect(requests.flatMap(\.events) == events)
        for (request, following) in zip(requests, requests.dropFirst()) {
            #expect(try bodySize(request.events) <= 2000)
            // The next event would not have fitted.
            #expect(try bodySize(request.events + [following.events[0]]) > 2000)
        }
    }
}
