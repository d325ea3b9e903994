import TestSupport
import Testing

@testable import TrackerCore

@Suite("CollectorRequest")
struct CollectorRequestTests {
    private func settings(_ configure: (inout ConfigurationBundle) -> Void) throws -> EffectiveSettings {
        var bundle = ConfigurationBundle.sample()
        configure(&bundle)
        var layers = TrackerLayers()
        layers.adopt(default: bundle, remote: nil, origin: LayerOrigin())
        return try EffectiveSettings(namespace: "ns", layers: layers)
    }

    private func event(_ id: Int64, _ text: String = "x", isAnonymous: Bool = false) -> StoredEvent {
        StoredEvent(id: id, isAnonymous: isAnonymous, payload: Array(#"{"e":"pv","url":"\#(text)"}"#.utf8))
    }

    private func bodySize(_ events: [StoredEvent]) throws -> Int {
        let settings = try settings { $0.emitter?.byteLimitPost = 100_000_000 }
        let plan = CollectorRequest.plan(events, settings: settings)
        return plan[0].httpRequest(settings, to: settings.endpoints[0], sentAt: 1_700_000_000_000).body?.count ?? 0
    }

    @Test("a body may be as large as the limit, and one byte less is too little", arguments: [2, 3, 10])
    func splitsAtTheByte(count: Int) throws {
        let events = (1...count).map { event(Int64($0), String(repeating: "a", count: 500 + $0)) }
        let size = try bodySize(events)
        let whole = CollectorRequest.plan(events, settings: try settings { $0.emitter?.byteLimitPost = size })
        #expect(whole.map(\.events) == [events])
        #expect(whole.map(\.isOversized) == [false])
        let divided = CollectorRequest.plan(events, settings: try settings { $0.emitter?.byteLimitPost = size - 1 })
        #expect(divided.map(\.events) == [Array(events.dropLast()), [events[count - 1]]])
        #expect(!divided.contains { $0.isOversized })
    }

    @Test("one event is oversized from the first byte over the limit, goes alone and as POST")
    func findsOversizedEvents() throws {
        let large = event(2, String(repeating: "a", count: 2000))
        let size = try bodySize([large])
        let events = [event(1), large, event(3)]
        let fits = CollectorRequest.plan([large], settings: try settings { $0.emitter?.byteLimitPost = size })
        #expect(fits.map(\.isOversized) == [false])
        let plan = CollectorRequest.plan(events, settings: try settings { $0.emitter?.byteLimitPost = size - 1 })
        #expect(plan.count == 2)
        #expect(plan.first { $0.isOversized }?.events == [large])
        #expect(plan.first { !$0.isOversized }?.events == [event(1), event(3)])
    }

    @Test("a GET's URL may be as long as the limit; beyond, the event is sent as an oversized POST")
    func boundsQueries() throws {
        let long = event(1, String(repeating: "é", count: 300))
        let open = try settings { $0.network?.method = .get }
        let length = CollectorRequest.plan([long], settings: open)[0].httpRequest(
            open, to: open.endpoints[0], sentAt: 1_700_000_000_000
        ).url
            .utf8.count
        for (limit, isOversized) in [(length, false), (length - 1, true)] {
            let settings = try settings {
                $0.network?.method = .get
                $0.emitter?.byteLimitGet = limit
            }
            let plan = CollectorRequest.plan([long], settings: settings)
            #expect(plan.map(\.isOversized) == [isOversized])
            #expect(
                plan[0].httpRequest(settings, to: settings.endpoints[0], sentAt: 1).method
                    == (isOversized ? "POST" : "GET"))
        }
    }

    @Test("no request mixes events of before and under server anonymisation, and each keeps its order")
    func dividesByAnonymisation() throws {
        let events = (1...9).map { event(Int64($0), isAnonymous: $0 % 3 == 0) }
        for method in HTTPMethod.allCases {
            let settings = try settings { $0.network?.method = method }
            let plan = CollectorRequest.plan(events, settings: settings)
            #expect(plan.flatMap(\.events).count == 9)
            for request in plan {
                #expect(Set(request.events.map(\.isAnonymous)).count == 1)
                #expect(request.events.map(\.id) == request.events.map(\.id).sorted())
                let header = request.httpRequest(settings, to: settings.endpoints[0], sentAt: 1).header("SP-Anonymous")
                #expect(header == (request.events[0].isAnonymous ? "*" : nil))
            }
        }
    }

    @Test("a body that is split is sent in as many requests as it needs, each within the limit")
    func splitsLongQueues() throws {
        let events = (1...200).map { event(Int64($0), String(repeating: "a", count: $0 * 7 % 400)) }
        let settings = try settings { $0.emitter?.byteLimitPost = 2000 }
        let plan = CollectorRequest.plan(events, settings: settings)
        #expect(plan.flatMap(\.events) == events)
        for (request, following) in zip(plan, plan.dropFirst()) {
            let body = request.httpRequest(settings, to: settings.endpoints[0], sentAt: 1_700_000_000_000).body ?? []
            #expect(body.count <= 2000)
            #expect((try? JSONReader.read(body)) != nil)
            // The next event would not have fitted.
            #expect(try bodySize(request.events + [following.events[0]]) > 2000)
        }
    }
}
