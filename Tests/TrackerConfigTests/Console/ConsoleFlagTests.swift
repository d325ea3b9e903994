import TestSupport
import Testing
import TrackerConfig
import TrackerConsole
import TrackerFeatures
import TrackerTesting

/// Remote evaluation as OpenFeature's protocol has it.
@Suite("Console: flags", .endsWhenItHangs)
struct ConsoleFlagTests {
    private static let path = "ofrep/v1/evaluate/flags"
    private static let features = """
        {"checkout":{"enabled":true,"variables":{"retryLimit":{"value":3},"limits":{"value":{"perDay":10}},
        "key":{"value":"SECRET","encrypted":true}},"rules":[
        {"id":"pro","condition":{"plan":"pro"},"values":{"retryLimit":9}}]},
        "drawn":{"enabled":false,"rules":[{"id":"all","range":[0,1],"enabled":true}]},
        "home.page":{"enabled":false,"variables":{"hero.text":{"value":"Hi"}}},
        "silent":{"variables":{"x":{"value":1.5},"list":{"value":[1]}}},
        "text":{"variables":{"value":{"value":"hi"}},"metadata":{"owner":"growth","since":2}},
        "off":{"disabled":true,"enabled":true,"variables":{"x":{"value":1}},"metadata":{"why":"broken"}},
        "named":{"variables":{"value":{"value":"bye"}},"rules":[
        {"id":"pro","condition":{"plan":"pro"},"values":{"value":"yo"}},{"id":"greeting","values":{"value":"hi"}}]},
        "all":{"rules":[{"id":"on","enabled":true}]},
        "gated":{"enabled":true,"variables":{"x":{"value":1}},"rules":[
        {"id":"gate","prerequisites":[{"feature":"home.page","gate":true}]}]},
        "a/b":{"enabled":true}}
        """
    private static let experiment = """
        [{"id":"e","variants":[{"name":"only","values":{"home.page":{"hero.text":"Hello"}}}]}]
        """

    private let shop = FeatureService()

    private func start(_ configure: (inout SetupOptions) -> Void = { _ in }) async throws -> Setup {
        shop.publish(2, Self.features, experiments: Self.experiment)
        return try await shop.start(configure)
    }

    private func evaluate(_ setup: Setup, _ key: String, _ context: String = "{}") async -> ConsoleBrowser.Answer {
        await ConsoleBrowser(setup).send("POST", "\(Self.path)/\(key)", #"{"context":\#(context)}"#)
    }

    @Test("a feature is a flag of whether it is enabled, and each variable is a flag, with reason and variant")
    func values() async throws {
        let setup = try await start()
        for (key, context, value, reason, variant) in [
            ("checkout", "{}", "true", "STATIC", "default"),
            ("checkout.retryLimit", #"{"plan":"pro"}"#, "9", "TARGETING_MATCH", "pro"),
            ("checkout.retryLimit", #"{"plan":"free"}"#, "3", "UNKNOWN", "default"),
            ("checkout.limits", "{}", #"{"perDay":10}"#, "STATIC", "default"),
            ("home.page", "{}", "false", "STATIC", "default"),
            ("drawn", #"{"targetingKey":"u-1"}"#, "true", "SPLIT", "all"),
            ("drawn", #"{"userId":"u-1"}"#, "true", "SPLIT", "all"), ("silent.x", "{}", "1.5", "STATIC", "default"),
            ("home.page.hero.text", #"{"targetingKey":"u-1"}"#, #""Hello""#, "SPLIT", "only"),
            ("home%2Epage", "{}", "false", "STATIC", "default"), ("a/b", "{}", "true", "STATIC", "default"),
            // Nothing says whether these are enabled, so that their names stand for their values.
            ("text", "{}", #""hi""#, "STATIC", "default"), ("text.value", "{}", #""hi""#, "STATIC", "default"),
            // A rule for all contexts names a static value, unless one that depends on the context comes before it.
            ("all", "{}", "true", "STATIC", "on"), ("named", "{}", #""hi""#, "TARGETING_MATCH", "greeting"),
            ("named", #"{"plan":"pro"}"#, #""yo""#, "TARGETING_MATCH", "pro"),
            ("gated", "{}", "false", "DISABLED", "gate"),
            // Without a value a client takes the default of its code.
            ("silent", "{}", nil, "UNKNOWN", "default"), ("off", "{}", nil, "DISABLED", "default"),
            ("off.x", "{}", nil, "DISABLED", "default"), ("gated.x", "{}", nil, "UNKNOWN", "default"),
        ] as [(String, String, String?, String, String)] {
            let answer = await evaluate(setup, key, context)
            let json = answer.json
            #expect((answer.status, json["value"]?.description) == (200, value), "\(key)")
            #expect((json["reason"]?.string, json["variant"]?.string) == (reason, variant), "\(key)")
            #expect(json["key"]?.string == key.replacing("%2E", with: "."))
        }
        // Metadata is the author's.
        #expect(await evaluate(setup, "text").json["metadata"] == ["owner": "growth", "since": 2])
        #expect(await evaluate(setup, "off").json["metadata"] == ["why": "broken"])
        #expect(await evaluate(setup, "checkout").json["metadata"] == nil)
        await setup.shutdown(timeout: .zero)
    }

    @Test("?trace says why, and a variant that leaves the value as it is is named")
    func trace() async throws {
        let control =
            #"[{"id":"e","variants":[{"name":"control","weight":1},"#
            + #"{"name":"b","weight":0,"values":{"checkout":{"retryLimit":7}}}]}]"#
        shop.publish(2, Self.features, experiments: control)
        let setup = try await shop.start()
        let context = #"{"targetingKey":"u-1","plan":"free"}"#
        let answer = await evaluate(setup, "checkout.retryLimit?trace", context).json
        let trace = answer["trace"]?.description ?? ""
        #expect(trace.contains("plan: 'free' is not 'pro'"), "\(trace)")
        #expect(trace.contains(#""variant":"control""#), "\(trace)")
        #expect(answer["metadata"]?["experiment.e"]?.string == "control")
        #expect(await evaluate(setup, "checkout.retryLimit", context).json["trace"] == nil)
        let secret = await evaluate(setup, "checkout.key?trace", context)
        #expect(secret.status == 400 && secret.json["trace"] == nil)
        await setup.shutdown(timeout: .zero)
    }

    @Test("an override counts for a disabled feature and without a targeting key, and leaves a flag its type")
    func overridden() async throws {
        let setup = try await start()
        for feature in ["off", "text", "drawn"] { try setup.features.overrides.setEnabled(true, for: feature) }
        #expect(await evaluate(setup, "off").json["value"] == true)
        #expect(await evaluate(setup, "text").json["value"] == "hi")
        let answer = await evaluate(setup, "drawn")
        #expect((answer.status, answer.json["value"], answer.json["reason"]) == (200, true, "STATIC"))
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "a unit's id of more than 1,024 bytes is a fault of the context for the flags that need it, and for no others")
    func longTargetingKey() async throws {
        let setup = try await start()
        let context = #"{"targetingKey":"\#(String(repeating: "u", count: 1025))"}"#
        let answer = await evaluate(setup, "drawn", context)
        #expect((answer.status, answer.json["errorCode"]) == (400, "INVALID_CONTEXT"))
        #expect(answer.json["errorDetails"]?.string?.contains("'userId' has 1025 bytes") == true)
        #expect(await evaluate(setup, "checkout", context).json["value"] == true)
        let all = await ConsoleBrowser(setup) { _ in }.send("POST", Self.path, #"{"context":\#(context)}"#)
        let flags = try #require(all.json["flags"]?.array)
        #expect(
            flags.compactMap { $0["errorCode"] == nil ? nil : $0["key"] } == [
                "drawn", "home.page.hero.text", "silent.list",
            ])
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "the targeting key is the id of a user whose own cannot be used",
        arguments: ["null", "\"\"", "true", "{}", "[1]"])
    func unusableUnit(user: String) async throws {
        let setup = try await start()
        let answer = await evaluate(setup, "drawn", #"{"targetingKey":"device-1","userId":\#(user)}"#)
        #expect((answer.status, answer.json["value"], answer.json["reason"]) == (200, true, "SPLIT"))
        let keyless = await evaluate(setup, "drawn", #"{"userId":\#(user)}"#)
        #expect(keyless.json["errorCode"] == "TARGETING_KEY_MISSING")
        await setup.shutdown(timeout: .zero)
    }

    @Test("faults have the protocol's codes")
    func faults() async throws {
        let setup = try await start()
        for (key, context, status, code) in [
            ("nothing", "{}", 404, "FLAG_NOT_FOUND"), ("checkout.nothing", "{}", 404, "FLAG_NOT_FOUND"),
            ("checkout.key", "{}", 400, "GENERAL"), ("silent.list", "{}", 400, "GENERAL"),
            ("checkout", "[]", 400, "INVALID_CONTEXT"), ("checkout", "null", 400, "INVALID_CONTEXT"),
            ("checkout", #"{"targetingKey":1}"#, 400, "INVALID_CONTEXT"), ("checkout", "{", 400, "PARSE_ERROR"),
            ("drawn", "{}", 400, "TARGETING_KEY_MISSING"),
            ("drawn", #"{"targetingKey":""}"#, 400, "TARGETING_KEY_MISSING"),
            ("home.page.hero.text", "{}", 400, "TARGETING_KEY_MISSING"),
        ] {
            let answer = await evaluate(setup, key, context)
            #expect((answer.status, answer.json["errorCode"]?.string) == (status, code), "\(key): \(context)")
            #expect(answer.json["key"]?.string == key)
            #expect(answer.json["errorDetails"]?.string?.isEmpty == false)
            #expect(!answer.text.contains("SECRET"))
        }
        // A missing context is an empty one, and a body that is no object cannot be read.
        for (body, status) in [("{}", 200), ("[]", 400), ("", 400)] {
            #expect(await ConsoleBrowser(setup).send("POST", "\(Self.path)/checkout", body).status == status)
        }
        await setup.shutdown(timeout: .zero)
    }

    @Test("all flags are evaluated at once, without secrets, and told as they would be one by one")
    func bulk() async throws {
        let setup = try await start()
        let answer = await ConsoleBrowser(setup).send("POST", Self.path, #"{"context":{"plan":"pro"}}"#)
        #expect(answer.status == 200)
        let flags = answer.json["flags"]?.array ?? []
        #expect(
            flags.map { $0.at("key") } == [
                "a/b", "all", "checkout", "checkout.limits", "checkout.retryLimit", "drawn", "gated", "gated.x",
                "home.page", "home.page.hero.text", "named", "named.value", "off", "off.x", "silent", "silent.list",
                "silent.x", "text", "text.value",
            ])
        #expect(flags.first { $0.at("key") == "drawn" }?.at("errorCode") == "TARGETING_KEY_MISSING")
        for flag in flags where flag.at("errorCode") == .null {
            let single = await evaluate(setup, flag.at("key").string ?? "", #"{"plan":"pro"}"#)
            #expect(JSONValue.object(single.json) == flag)
        }
        #expect(!answer.text.contains("SECRET"))
        await setup.shutdown(timeout: .zero)
    }

    @Test("a client that has the values of its context gets no body until one changes")
    func etag() async throws {
        let setup = try await start()
        let first = await ConsoleBrowser(setup).send("POST", Self.path, #"{"context":{}}"#)
        let tag = try #require(first.header("ETag"))
        func send(_ tag: String, _ context: String = "{}") async -> ConsoleBrowser.Answer {
            var browser = ConsoleBrowser(setup)
            browser.headers.append(HTTPHeader(name: "If-None-Match", value: tag))
            return await browser.send("POST", Self.path, #"{"context":\#(context)}"#)
        }
        let same = await send(tag)
        #expect((same.status, same.text, same.header("ETag")) == (304, "", tag))
        #expect(await send("\"other\", W/\(tag)").status == 304)
        #expect(await send("\"other\"").status == 200)
        #expect(await send(tag, #"{"plan":"pro"}"#).status == 200)
        try setup.features.overrides.setEnabled(false, for: "checkout")
        let changed = await send(tag)
        #expect(changed.status == 200 && changed.header("ETag") != tag)
        await setup.shutdown(timeout: .zero)
    }

    @Test("an evaluation records no exposure and counts as none, unless it is asked for")
    func exposure() async throws {
        let setup = try await start { $0.experiments.exposureNamespaces = ["a"] }
        let key = "home.page.hero.text"
        _ = await evaluate(setup, key, #"{"targetingKey":"u-1"}"#)
        _ = await evaluate(setup, "\(key)?exposure=false", #"{"targetingKey":"u-1"}"#)
        _ = await ConsoleBrowser(setup).send("POST", Self.path, #"{"context":{"targetingKey":"u-2"}}"#)
        #expect(setup.experiments.counters.exposuresTracked == 0)
        #expect(setup.tracker("a")?.counters.tracked == 0)
        #expect(setup.features.usage.allSatisfy { $0.evaluations.isEmpty })
        let asked = await evaluate(setup, "\(key)?exposure=true", #"{"targetingKey":"u-1"}"#)
        #expect(asked.json["value"] == "Hello")
        #expect(setup.experiments.counters.exposuresTracked == 1)
        #expect(setup.features.usage.first { $0.feature == "home.page" }?.evaluations == [.split: 1])
        let body = #"{"context":{"targetingKey":"u-2"},"exposure":true}"#
        #expect(await ConsoleBrowser(setup).send("POST", "\(Self.path)/\(key)", body).status == 200)
        #expect(setup.experiments.counters.exposuresTracked == 2)
        // Once for each unit, whether code or a client reads.
        let context = FeatureContext(units: ["userId": "u-2"])
        _ = setup.features.value("home.page", variable: "hero.text", default: "", for: context)
        _ = await evaluate(setup, "\(key)?exposure", #"{"targetingKey":"u-1"}"#)
        #expect(setup.experiments.counters.exposuresTracked == 2)
        #expect(setup.tracker("a")?.counters.tracked == 2)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a read-only console evaluates flags, and refuses to record an exposure")
    func readOnlyExposure() async throws {
        let setup = try await start { $0.experiments.exposureNamespaces = ["a"] }
        let browser = ConsoleBrowser(setup) { _ in }
        let path = "\(Self.path)/home.page.hero.text"
        let context = #"{"context":{"targetingKey":"u-1"}}"#
        #expect(await browser.send("POST", path, context).json["value"] == "Hello")
        let refused = await browser.send("POST", "\(path)?exposure", context)
        #expect((refused.status, refused.json["errorCode"]) == (403, "GENERAL"))
        #expect(refused.json["errorDetails"]?.string?.hasPrefix("this console is read-only") == true)
        let counters = setup.experiments.counters
        #expect((counters.exposuresTracked, counters.assignmentsStored) == (0, 0))
        #expect(setup.tracker("a")?.counters.tracked == 0)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a refused exposure records nothing: for all flags, by no boolean, of a list, and without a targeting key")
    func refusedExposure() async throws {
        shop.publish(
            2,
            """
            {"f":{"variables":{"v":{"value":[1]},"w":{"value":1}},"rules":[{"id":"r","coverage":0,"values":{"w":2}}]},
            "g":{"variables":{"v":{"value":"x"}}}}
            """,
            experiments: """
                [{"id":"e","unit":"account","variants":[
                {"name":"control","weight":1},{"name":"t","weight":0,"values":{"f":{"v":"x","w":3}}}]},
                {"id":"h","variants":[{"name":"only","values":{"g":{"v":[1]}}}]}]
                """)
        let setup = try await shop.start { $0.experiments.exposureNamespaces = ["a"] }
        for (path, body, code) in [
            (Self.path, #"{"context":{"targetingKey":"u"},"exposure":true}"#, "GENERAL"),
            ("\(Self.path)?exposure=true", #"{"context":{"targetingKey":"u"}}"#, "GENERAL"),
            ("\(Self.path)/f.w", #"{"exposure":"yes"}"#, "PARSE_ERROR"),
        ] {
            let answer = await ConsoleBrowser(setup).send("POST", path, body)
            #expect((answer.status, answer.json["errorCode"]?.string) == (400, code))
        }
        // The list of a variant, and one that a variant leaves as it is.
        let list = await evaluate(setup, "g.v?exposure", #"{"targetingKey":"u-1"}"#)
        #expect((list.status, list.json["errorCode"]) == (400, "GENERAL"))
        #expect(list.json["errorDetails"]?.string?.hasPrefix("'g.v' is a list (TYPE_MISMATCH)") == true)
        #expect(await evaluate(setup, "f.v?exposure", #"{"account":"a-1"}"#).json["errorCode"] == "GENERAL")
        let keyless = await evaluate(setup, "f.w?exposure", #"{"account":"a-1"}"#)
        #expect(keyless.json["errorCode"] == "TARGETING_KEY_MISSING")
        #expect(setup.experiments.counters.exposuresTracked == 0)
        _ = await evaluate(setup, "f.w?exposure", #"{"account":"a-1","targetingKey":"u-1"}"#)
        #expect(setup.experiments.counters.exposuresTracked == 1)
        await setup.shutdown(timeout: .zero)
    }

    @Test("an experiment that has not begun needs no targeting key, and clients are told when it begins")
    func scheduled() async throws {
        let begin = Instant(milliseconds: shop.service.time.now.milliseconds + 60_000).text
        shop.publish(
            2, #"{"f":{"variables":{"v":{"value":"x"}}}}"#,
            experiments: #"[{"id":"e","start":"\#(begin)","variants":[{"name":"t","values":{"f":{"v":"y"}}}]}]"#)
        let setup = try await shop.start()
        #expect(await evaluate(setup, "f.v").json["value"] == "x")
        let before = setup.features.store.layers.generation
        try await waitUntil("the experiment has begun") {
            shop.service.time.advance(by: .seconds(60))
            return setup.features.store.layers.generation != before
        }
        #expect(await evaluate(setup, "f.v").json["errorCode"] == "TARGETING_KEY_MISSING")
        #expect(await evaluate(setup, "f.v", #"{"targetingKey":"u-1"}"#).json["value"] == "y")
        await setup.shutdown(timeout: .zero)
    }

    @Test("a client that follows the stream that is named with all flags is told after each change to ask again")
    func stream() async throws {
        let setup = try await start()
        let all = await ConsoleBrowser(setup).send("POST", Self.path, "{}")
        #expect(all.json["eventStreams"] == [["type": "sse", "endpoint": ["requestUri": "/console/ofrep/v1/events"]]])
        let first = try #require(await events(setup))
        let event = try #require(await next(first))
        let lines = event.split(separator: "\n")
        #expect(lines.count == 2 && lines.first?.hasPrefix("id: ") == true)
        #expect(lines.last == #"data: {"type":"refetchEvaluation"}"#)
        async let second = next(first)
        await shop.service.time.waitForSleep(in: Self.interval)
        try setup.features.overrides.setEnabled(false, for: "checkout")
        await tick()
        #expect(await second?.hasSuffix("data: {\"type\":\"refetchEvaluation\"}\n\n") == true)
        // One that comes back and has missed nothing hears nothing but that the connection is there.
        let id = try #require(await second).split(separator: "\n").first.map { String($0.dropFirst(4)) }
        let again = try #require(await events(setup, after: id))
        async let quiet = next(again)
        for _ in 0..<30 { await tick() }
        #expect(await quiet == ":\n\n")
        await setup.shutdown(timeout: .zero)
        #expect(await next(again) == nil)
    }

    private static let interval = Duration.milliseconds(400)...(.milliseconds(500))

    private func tick() async {
        await shop.service.time.waitForSleep(in: Self.interval)
        shop.service.time.advance(by: .milliseconds(500))
    }

    private func next(_ events: AsyncStream<[UInt8]>) async -> String? {
        var pieces = events.makeAsyncIterator()
        return await pieces.next().map { String(decoding: $0, as: UTF8.self) }
    }

    private func events(_ setup: Setup, after id: String? = nil) async -> AsyncStream<[UInt8]>? {
        var browser = ConsoleBrowser(setup)
        if let id { browser.headers.append(HTTPHeader(name: "Last-Event-ID", value: id)) }
        let response = await browser.send("GET", "ofrep/v1/events").response
        #expect(response.headers.contains(HTTPHeader(name: "Content-Type", value: "text/event-stream")))
        guard case .stream(let stream) = response.body else { return nil }
        return stream
    }
}
