import HTTPTypes
import Hummingbird
import HummingbirdTesting
import IntegrationTesting
import Testing
import TrackerConfig
import TrackerHummingbird
import TrackerTesting

@Suite("TrackingMiddleware", .timeLimit(.minutes(10)))
struct TrackingMiddlewareTests {
    private func application(_ service: TestService, _ proxies: TrustedProxies = .none) -> some ApplicationProtocol {
        let router = Router(context: TrackingRequestContext.self)
        router.add(middleware: TrackingMiddleware(trustedProxies: proxies) { request, _ in request.headers[.user] })
        router.get("track/:label") { _, context in
            // Other requests run in between.
            for _ in 0..<10 { await Task.yield() }
            let label = try context.parameters.require("label")
            service.setup.tracker("shop")?.track(Structured(category: "request", action: "serve", label: label))
            async let child = service.setup.features.value("shipping", variable: "days", default: 0)
            return "\(await child)"
        }
        return Application(router: router)
    }

    /// The events by label, after the setup was shut down.
    private func events(_ service: TestService) async throws -> [String: [String: String]] {
        await service.setup.shutdown()
        let events = service.collector.events.map(\.parameters).filter { $0["se_la"] != nil }
        let labels = Dictionary(grouping: events) { $0["se_la"]! }
        #expect(labels.allSatisfy { $0.value.count == 1 })
        return labels.compactMapValues(\.first)
    }

    @Test("of many concurrent users, each event and each read is of its own")
    func load() async throws {
        let features = """
            "features": {"shipping": {"variables": {"days": {"value": 0}}}},
            "experiments": [{"id": "e", "variants": [
              {"name": "a", "weight": 50, "values": {"shipping": {"days": 1}}},
              {"name": "b", "weight": 50, "values": {"shipping": {"days": 2}}}]}]
            """
        let service = try TestService(document: features)
        await service.setup.refresh()
        let expected = (0..<50).map { user in
            let context = FeatureContext(userID: "u-\(user)")
            return service.setup.features.value("shipping", variable: "days", default: 0, for: context)
        }
        #expect(Set(expected) == [1, 2])
        try await application(service).test(.ahc()) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for user in 0..<50 {
                    group.addTask {
                        for request in 0..<6 {
                            let headers: HTTPFields = [
                                .user: "u-\(user)", .userAgent: "agent-\(user)", .acceptLanguage: "l\(user);q=0.5, en",
                                .cookie: "a=b; _sp_id.1fff=d\(user).1.7.3.2.s\(user).x",
                            ]
                            let body = try await client.execute(
                                uri: "/track/\(user)-\(request)", method: .get, headers: headers
                            ) { String(buffer: $0.body) }
                            #expect(body == "\(expected[user])")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        let events = try await events(service)
        #expect(events.count == 300)
        for (label, event) in events {
            let user = label.prefix { $0 != "-" }
            #expect(event["uid"] == "u-\(user)")
            #expect(event["ua"] == "agent-\(user)")
            #expect(event["lang"] == "l\(user)")
            #expect(event["duid"] == "d\(user)")
            #expect(event["sid"] == "s\(user)")
            #expect(event["ip"] == "127.0.0.1")
        }
    }

    @Test("behind a trusted proxy the address is the one that it names")
    func proxies() async throws {
        for (proxies, expected) in [
            (TrustedProxies.none, "127.0.0.1"), (try TrustedProxies(["127.0.0.0/8"]), "203.0.113.7"),
        ] {
            let service = try TestService()
            try await application(service, proxies).test(.ahc()) { client in
                let headers: HTTPFields = [HTTPField.Name("X-Forwarded-For")!: "198.51.100.1, 203.0.113.7"]
                try await client.execute(uri: "/track/one", method: .get, headers: headers)
            }
            #expect(try await events(service)["one"]?["ip"] == expected)
        }
    }

    @Test("without a user and a cookie, there is no unit and no user")
    func anonymous() async throws {
        let service = try TestService()
        try await application(service).test(.ahc()) { client in
            let headers: HTTPFields = [.cookie: "_sp_id.1=forged"]
            try await client.execute(uri: "/track/one", method: .get, headers: headers)
        }
        let event = try await events(service)["one"]
        #expect(event != nil)
        for field in ["uid", "duid", "sid"] { #expect(event?[field] == nil) }
    }

    @Test("the context has the trace's id and the visitor as a unit")
    func context() {
        var head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        head.headerFields = [
            .cookie: "_sp_id.1fff=d1.1.7.3.2.s1.x", HTTPField.Name("traceparent")!: "00-\(trace)-00f067aa0ba902b7-01",
        ]
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let context = TrackingContext(request, user: "u-1", address: nil)
        #expect(context.traceID == trace)
        #expect(context.evaluation?.units == ["userId": "u-1", "domainUserId": "d1"])
        #expect(TrackingContext(request, user: nil, address: nil).evaluation?.units == ["domainUserId": "d1"])
    }
}

extension HTTPField.Name {
    fileprivate static let user = Self("X-User-Id")!
}
