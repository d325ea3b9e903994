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
        router.add(
            middleware: TrackingMiddleware(sendsAddress: true, sendsUserAgent: true, trustedProxies: proxies) {
                request, _ in request.headers[.user]
            })
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

    @Test("the address and the user agent are sent only if asked for")
    func unasked() async throws {
        let service = try TestService()
        let router = Router(context: TrackingRequestContext.self)
        router.add(middleware: TrackingMiddleware { request, _ in request.headers[.user] })
        router.get("track") { _, _ in
            service.tracker.track(Structured(category: "request", action: "serve", label: "one"))
            return "\(TrackingContext.current?.traceID ?? "")"
        }
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        try await Application(router: router).test(.ahc()) { client in
            let headers: HTTPFields = [
                .user: "u-1", .userAgent: "agent", .acceptLanguage: "de",
                HTTPField.Name("traceparent")!: "00-\(trace)-00f067aa0ba902b7-01",
            ]
            let response = try await client.execute(uri: "/track", method: .get, headers: headers)
            #expect(String(buffer: response.body) == trace)
        }
        let event = try await events(service)["one"]
        #expect(event?["uid"] == "u-1" && event?["lang"] == "de")
        #expect(event?["ip"] == nil && event?["ua"] == nil)
    }

    @Test("rules see the attributes, the country and the language of the request, with a user and without one")
    func evaluation() async throws {
        let features = """
            "features": {"shipping": {"variables": {"days": {"value": 5}}, "rules": [
              {"id": "pro", "condition": {"plan": "pro", "country": "DE", "language": "de"}, "values": {"days": 1}}]}}
            """
        let service = try TestService(document: features)
        await service.setup.refresh()
        let router = Router(context: TrackingRequestContext.self)
        router.add(
            middleware: TrackingMiddleware { request, _ in
                request.headers[.user]
            } evaluation: { request, _, evaluation in
                evaluation.attributes["plan"] = request.headers[.plan].map { .string($0) }
                evaluation.country = "DE"
            })
        router.get("days") { _, _ in "\(service.setup.features.value("shipping", variable: "days", default: 0))" }
        try await Application(router: router).test(.router) { client in
            for (headers, days) in [
                ([.user: "u-1", .plan: "pro", .acceptLanguage: "de"], "1"),
                ([.plan: "pro", .acceptLanguage: "de"], "1"),
                ([.user: "u-1", .plan: "free", .acceptLanguage: "de"], "5"), ([.user: "u-1", .plan: "pro"], "5"),
            ] as [(HTTPFields, String)] {
                let response = try await client.execute(uri: "/days", method: .get, headers: headers)
                #expect(String(buffer: response.body) == days, "\(headers)")
            }
        }
        await service.setup.shutdown(timeout: .zero)
    }

    @Test(
        "a streamed body tracks and evaluates for the user of its request: server-sent events, an export, a body that ends early"
    )
    func streams() async throws {
        let service = try TestService(
            document: #""experiments": [{"id": "e", "variants": [{"name": "a", "weight": 1}]}]"#)
        await service.setup.refresh()
        let router = Router(context: TrackingRequestContext.self)
        router.add(middleware: TrackingMiddleware { request, _ in request.headers[.user] })
        @Sendable func track(_ label: String) -> String {
            service.setup.tracker("shop")?.track(Structured(category: "stream", action: "row", label: label))
            return service.setup.experiments.variant(of: "e", default: "none").variant
        }
        router.get("events") { _, _ in
            let rows = AsyncStream<Int> { rows in
                for row in 1...3 { rows.yield(row) }
                rows.finish()
            }
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream"],
                body: ResponseBody(
                    asyncSequence: rows.map { ByteBuffer(string: "data: \(track("event-\($0)"))\n\n") }))
        }
        router.get("export") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    for row in 1...2 {
                        await Task.yield()
                        try await writer.write(ByteBuffer(string: track("row-\(row)")))
                    }
                    try await writer.finish(nil)
                })
        }
        router.get("cut") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    defer { _ = track("cut") }
                    try await writer.write(ByteBuffer(string: "a"))
                    throw CancellationError()
                })
        }
        try await Application(router: router).test(.live) { client in
            for (path, body) in [("events", "data: a\n\ndata: a\n\ndata: a\n\n"), ("export", "aa")] {
                let response = try await client.execute(uri: "/\(path)", method: .get, headers: [.user: "u-\(path)"])
                #expect(String(buffer: response.body) == body)
            }
            // Its connection is closed within the body.
            _ = try? await client.execute(uri: "/cut", method: .get, headers: [.user: "u-cut"])
            let labels = ["event-1", "event-2", "event-3", "row-1", "row-2", "cut"]
            #expect(try await eventually { service.setup.status.trackers[0].counters.tracked >= labels.count })
        }
        let events = try await events(service)
        #expect(
            events.mapValues { $0["uid"] } == [
                "event-1": "u-events", "event-2": "u-events", "event-3": "u-events", "row-1": "u-export",
                "row-2": "u-export",
                "cut": "u-cut",
            ])
    }
}

extension HTTPField.Name {
    fileprivate static let user = Self("X-User-Id")!
    fileprivate static let plan = Self("X-Plan")!
}
