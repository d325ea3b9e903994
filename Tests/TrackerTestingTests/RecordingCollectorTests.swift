import TestSupport
import Testing
import TrackerClientEvents
import TrackerConfig
import TrackerCore
import TrackerTesting

@Suite("RecordingCollector", .endsWhenItHangs)
struct RecordingCollectorTests {
    private let collector = RecordingCollector()
    private let time = ManualTime()

    /// A tracker whose events the collector gets.
    private func tracker(
        _ namespace: String = "shop", at host: String = "collector.example",
        _ configure: (inout ConfigurationBundle) -> Void = { _ in }
    ) throws -> Tracker {
        let pipeline = EventPipeline(
            directory: nil, transport: collector, log: Log(nil, level: .off), time: time,
            random: SeededRandom(seed: 1))
        var bundle = ConfigurationBundle(
            namespace: namespace, network: NetworkConfiguration(endpoint: "https://\(host)"),
            emitter: EmitterConfiguration { $0.bufferOption = .single })
        configure(&bundle)
        return try Tracker(bundle, pipeline: pipeline)
    }

    @Test("decodes a self-describing event, its entities and its user")
    func selfDescribing() async throws {
        let schema = "iglu:com.acme/order_shipped/jsonschema/1-0-0"
        let product = Entity(schema: "iglu:com.acme/product/jsonschema/1-0-0", data: ["sku": "s-1", "price": 9.5])
        let tracker = try tracker()
        let id = tracker.track(
            SelfDescribing(schema: schema, data: ["orderId": "o-1", "items": 2]), entities: [product],
            subject: EventSubject(userID: "u-1"))
        let event = try #require(try await collector.waitForEvents(1).first)
        #expect(event.id == id)
        #expect(event.namespace == "shop")
        #expect(event.name == "order_shipped")
        #expect(event.schema == schema)
        #expect(event.type == nil)
        #expect(event.properties == ["orderId": "o-1", "items": 2])
        #expect(event.entities.contains(product))
        #expect(event.entity("product") == product.data)
        #expect(event.entity("order") == nil)
        #expect(event.userID == "u-1")
        #expect(event.time == time.now)
        #expect(event.parameters["e"] == "ue")
        #expect(!event.isAnonymous)
        #expect("\(event)" == #"shop order_shipped {"orderId":"o-1","items":2}"#)
    }

    @Test("names events of other types by their action or type, with their own parameters")
    func otherTypes() async throws {
        let tracker = try tracker()
        tracker.track(Structured(category: "cart", action: "add", label: "hat"))
        tracker.track(PageView(url: "https://shop.example/hats", title: "Hats"))
        tracker.track(ScreenView(name: "home"))
        let events = try await collector.waitForEvents(3)
        #expect(events.map(\.name) == ["add", "page_view", "screen_view"])
        #expect(events.map(\.type) == [.structured, .pageView, nil])
        #expect(events[0].properties == ["se_ca": "cart", "se_ac": "add", "se_la": "hat"])
        #expect(events[1].properties == ["url": "https://shop.example/hats", "page": "Hats"])
        #expect(events[2].properties["name"] == "home")
        #expect(collector.events(named: "add") == [events[0]])
    }

    @Test("decodes GET requests, compressed bodies and plain JSON as well", arguments: ["get", "gzip", "plain"])
    func encodings(encoding: String) async throws {
        let tracker = try tracker {
            switch encoding {
            case "get": $0.network?.method = .get
            case "gzip": $0.network?.compression = true
            default: $0.tracker = TrackerConfiguration { $0.base64Encoding = false }
            }
        }
        tracker.track(SelfDescribing(schema: "iglu:com.acme/note/jsonschema/1-0-0", data: ["text": "ü & = + \"\n"]))
        let event = try #require(try await collector.waitForEvents(1).first)
        #expect(event.name == "note")
        #expect(event.properties == ["text": "ü & = + \"\n"])
        let request = try #require(collector.requests.first)
        #expect(request.method == (encoding == "get" ? "GET" : "POST"))
        #expect(request.headers.contains { $0.value == "gzip" } == (encoding == "gzip"))
        #expect((event.parameters["ue_pr"] != nil) == (encoding == "plain"))
    }

    @Test("separates the events of trackers, and marks those under server anonymisation")
    func trackers() async throws {
        let shop = try tracker()
        let search = try tracker("search") { $0.emitter?.serverAnonymisation = true }
        shop.track(Structured(category: "c", action: "one"))
        search.track(Structured(category: "c", action: "two"))
        try await collector.waitForEvents(2)
        #expect(collector.events(of: "shop").map(\.name) == ["one"])
        #expect(collector.events(of: "search").map(\.name) == ["two"])
        #expect(collector.events(of: "shop").map(\.isAnonymous) == [false])
        #expect(collector.events(of: "search").map(\.isAnonymous) == [true])
        collector.removeAll()
        #expect(collector.events.isEmpty && collector.requests.isEmpty)
    }

    @Test("fails for so many requests, and the tracker sends the events again when its clock is moved")
    func failsNext() async throws {
        collector.fail(.status(503), next: 1)
        collector.fail(.timeout, next: 1)
        // It takes the events of the next request and loses its answer, so that they come twice.
        collector.fail(.answerLost, next: 1)
        let tracker = try tracker()
        let id = tracker.track(Structured(category: "c", action: "a"))
        #expect(try await collector.waitForEvents(2, advancing: time).map(\.id) == [id, id])
        #expect(collector.requests.count == 4)
        await tracker.flush()
    }

    @Test("fails until it recovers, for one host only if there is one")
    func failsUntilRecovery() async throws {
        collector.fail(.unreachable, at: "one.example")
        let (one, two) = (try tracker("one", at: "one.example"), try tracker("two", at: "two.example"))
        one.track(Structured(category: "c", action: "a"))
        try await waitUntil("the first collector is asked") { !collector.requests.isEmpty }
        two.track(Structured(category: "c", action: "b"))
        #expect(try await collector.waitForEvents(1).map(\.namespace) == ["two"])
        collector.recover()
        #expect(try await collector.waitForEvents(2, advancing: time).map(\.namespace) == ["two", "one"])
    }

    @Test("a status of success takes the events, any other does not; requests without events have none")
    func statuses() async throws {
        for (status, count) in [(204, 1), (302, 0), (400, 0), (500, 0)] {
            let collector = RecordingCollector()
            collector.fail(.status(status, headers: [HTTPHeader(name: "Retry-After", value: "9")]))
            let response = try await collector.send(
                HTTPTransportRequest(method: "GET", url: "https://c.example/i?e=pv&tna=a&eid=\(Self.id)"))
            #expect(response.status == status)
            #expect(response.header("Retry-After") == "9")
            #expect(collector.events.count == count)
        }
        // These have no events.
        for body in ["no JSON", "{}", #"{"data":[{"e":"pv"}]}"#] {
            let request = HTTPTransportRequest(method: "POST", url: "https://c.example/tp2", body: Array(body.utf8))
            #expect(try await collector.send(request).status == 200)
        }
        #expect(collector.events.isEmpty && collector.requests.count == 3)
    }

    private static let id = "3f0c5f6e-9a4e-4d0e-8a51-0d2f4ad9a0f1"

    @Test("a wait that takes too long or is cancelled throws what came instead")
    func timeout() async throws {
        try tracker().track(Structured(category: "c", action: "a"))
        try await collector.waitForEvents(1)
        let error = await #expect(throws: CollectorTimeout.self) {
            try await collector.waitForEvents(2, timeout: .milliseconds(1))
        }
        #expect(
            error?.description == """
                1 of 2 events came within 0.001 seconds, in 1 requests
                - shop a {"se_ca":"c","se_ac":"a"}
                """)
        let task = Task { [collector] in try await collector.waitForEvents(2, timeout: .seconds(3600)) }
        task.cancel()
        await #expect(throws: CollectorTimeout.self) { try await task.value }
    }
}
