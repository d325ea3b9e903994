import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerConsole
import TrackerCore
import TrackerTesting

/// What a console shows.
@Suite("Console: views", .endsWhenItHangs)
struct ConsoleViewTests {
    private let shop = FeatureService()
    private static let experiment = """
        [{"id":"e","coverage":0.5,"countries":["US"],"variants":[{"name":"control","weight":3},
        {"name":"fast","weight":1,"values":{"f":{"x":9,"key":"SECRET-cipher-2"}}}]}]
        """
    private static let features = """
        {"f":{"enabled":true,"variables":{"x":{"value":2,"title":"X","description":"What x is","group":"G"},
        "key":{"value":"SECRET-cipher","encrypted":true},"same":{"value":"s"}}}}
        """

    @Test("the status tells the version, its source, its author, the last fetches and when the next one is due")
    func status() async throws {
        func publish(_ version: Int, by meta: String, experiments: String = "[]") {
            let text = FeatureService.document(version, "{}", experiments: experiments)
            shop.service.serve(text.replacing("\"features\"", with: "\"meta\":\(meta),\"features\""))
        }
        publish(3, by: #"{"author":"dana","ticket":"OPS-7"}"#)
        let setup = try shop.service.start(
            "https://config.example/trackers.json?key=secret", remote: { $0.pollInterval = .seconds(1000) })
        await shop.service.settled()
        await shop.service.time.waitForSleep(in: .seconds(500)...(.seconds(1500)))
        let browser = ConsoleBrowser(setup) { $0.title = "shop" }
        var status = await browser.get("status")
        #expect((status.at("document.state"), status.at("document.version")) == ("fetched", 3))
        #expect(status.at("document.source") == "https://config.example/trackers.json?key=***")
        #expect(status.at("document.meta.author") == "dana")
        #expect((status.at("changes.0.kind"), status.at("changes.0.count")) == ("applied", 1))
        #expect(status.at("changes.0.author") == "dana, OPS-7")
        #expect((status["pollIntervalSeconds"], status["heldVersions"]) == (1000, []))
        #expect(status.at("process.processID") == .int(Int(getpid())))
        #expect(status["nextFetchTime"]?.string != nil)
        let live = await browser.get("live")
        #expect((live["title"], live["allowsChanges"]) == ("shop", false))
        publish(4, by: #"{"author":"eve"}"#, experiments: "1")
        for _ in 0..<3 { await setup.refresh() }
        status = await browser.get("status")
        // Repetitions are one row, and hide nothing.
        #expect(status["changes"]?.array?.map { $0.at("kind") } == ["rejected", "applied"])
        #expect((status.at("changes.0.count"), status.at("changes.0.author")) == (3, "eve"))
        #expect(status.at("lines.0.text").string?.hasSuffix("; published by eve; version 3 stays in use") == true)
        await setup.shutdown(timeout: .zero)
        // Nobody polls any more.
        #expect(await browser.get("status")["nextFetchTime"] == nil)
    }

    @Test("shows a tracker's settings, their layers, the values that they override, and the outcome of its events")
    func trackers() async throws {
        shop.publish(2, "{}")
        let (setup, browser) = try await shop.browse()
        let tracker = try #require(setup.tracker("a"))
        try tracker.network.set(\.requestHeaders, to: [HTTPHeader(name: "X-Key", value: "secret")])
        try tracker.subject.set(\.userID, to: "u-1")
        await tracker.deliver()
        let row = await browser.get("live").at("trackers.a")
        #expect((row.at("tracked"), row.at("sent"), row.at("waiting"), row.at("dropped")) == (1, 1, 0, 0))
        #expect(row.at("failingSince") == .null && row.at("lastSuccess").int != nil)
        let card = await browser.get("trackers?namespace=a").at("tracker")
        #expect(card.at("endpoint") == "collector.example")
        let settings = card.at("settings").array ?? []
        let user = try #require(settings.first { $0.at("field") == "subject.userId" })
        #expect((user.at("source"), user.at("value")) == ("runtime", "u-1"))
        let endpoint = try #require(settings.first { $0.at("field") == "network.endpoint" })
        #expect((endpoint.at("source"), endpoint.at("version")) == ("remote", 2))
        #expect(endpoint.at("overridden.0.source") == "default")
        #expect(!card.description.contains("secret"))
        #expect(await browser.send("GET", "trackers?namespace=other").status == 404)
        #expect(await browser.send("GET", "trackers").status == 400)
        await setup.shutdown(timeout: .zero)
    }

    @Test("shows the warnings of the document in use with their places")
    func warnings() async throws {
        shop.service.serve(DocumentText.document(2, "\n" + DocumentText.bundle("a", #""tracker":{"appid":"shop"}"#)))
        let setup = try await shop.start()
        let warnings = await ConsoleBrowser(setup).get("status").at("document.warnings")
        let place: JSONValue = "configurationBundle[0].trackerConfiguration.appid"
        #expect(warnings.array?.first { $0.at("place") == place }?.at("line") == 2)
        await setup.shutdown(timeout: .zero)
    }

    @Test("shows each variable with its kind, what people are told, its source, and never a secret")
    func features() async throws {
        shop.publish(2, Self.features, experiments: Self.experiment)
        let defaults = #"{"f":{"enabled":false,"variables":{"x":{"value":1.5}}}}"#
        let (setup, browser) = try await shop.browse(default: defaults)
        try setup.features.overrides.set("SECRET-plain", for: "f", variable: "key")
        try setup.features.overrides.set(7, for: "f", variable: "x")
        try setup.features.overrides.setEnabled(false, for: "f")
        let answer = await browser.send("GET", "features")
        let feature = answer.json.at("features.0")
        #expect(
            (feature.at("name"), feature.at("enabled.value"), feature.at("enabled.source")) == ("f", false, "override"))
        #expect(feature.at("enabled.isOverridden") == true)
        #expect(feature.at("enabled.overridden").array?.map { $0.at("source") } == ["remote, version 2", "default"])
        let variables = feature.at("variables").array ?? []
        #expect(variables.map { $0.at("name") } == ["key", "same", "x"])
        #expect((variables[0].at("isEncrypted"), variables[0].at("value")) == (true, .null))
        // A number below makes it a number, though the document and the override have whole ones.
        let x = variables[2]
        #expect((x.at("value"), x.at("type"), x.at("source"), x.at("isOverridden")) == (7, "number", "override", true))
        #expect((x.at("title"), x.at("description"), x.at("group")) == ("X", "What x is", "G"))
        #expect(x.at("overridden").array?.map { $0.at("value") } == [2, 1.5])
        #expect(x.at("experiments") == ["e"])
        for view in ["status", "trackers?namespace=a", "features", "difference", "live"] {
            #expect(!(await browser.send("GET", view).text.contains("SECRET")), "\(view)")
        }
        await setup.shutdown(timeout: .zero)
    }

    @Test("shows the shares of variants, who takes part and what is forced")
    func experiments() async throws {
        shop.publish(2, Self.features, experiments: Self.experiment)
        let setup = try await shop.start()
        try setup.features.overrides.force("fast", of: "e")
        let experiment = await ConsoleBrowser(setup).get("features").at("experiments.0")
        #expect((experiment.at("id"), experiment.at("unit"), experiment.at("forced")) == ("e", "userId", "fast"))
        #expect(
            (experiment.at("coverage"), experiment.at("countries"), experiment.at("languages")) == (0.5, ["US"], []))
        let variants = experiment.at("variants").array ?? []
        #expect(variants.map { $0.at("name") } == ["control", "fast"])
        #expect(variants.compactMap { $0.at("share").double.map { ($0 * 1000).rounded() } } == [375, 125])
        #expect(variants[1].at("values.f.x") == 9)
        #expect(variants[1].at("values.f.key") == "…")
        await setup.shutdown(timeout: .zero)
    }

    @Test("says what a unit is given, for whoever is typed in, and tells no exposure")
    func assignments() async throws {
        shop.publish(2, "{}", experiments: #"[{"id":"e","countries":["US"],"variants":[{"name":"only"}]}]"#)
        let setup = try await shop.start { $0.experiments.exposureNamespaces = ["a"] }
        let browser = ConsoleBrowser(setup) { _ in }
        func assignment(_ body: String) async -> JSONValue {
            await browser.send("POST", "assignments", body).json.at("assignments.0")
        }
        let given = await assignment(#"{"units":{"userId":"u-1"},"country":"US"}"#)
        #expect((given.at("experiment"), given.at("variant"), given.at("reason")) == ("e", "only", "assigned"))
        let filtered = await assignment(#"{"units":{"userId":"u-1"},"country":"DE"}"#)
        #expect((filtered.at("variant"), filtered.at("reason")) == (.null, "filtered"))
        #expect(await assignment(#"{"units":{"userId":""}, "country":"US"}"#).at("reason") == "noUnit")
        #expect(await browser.send("POST", "assignments", #"{"units":{"userId":1}}"#).status == 422)
        #expect(await browser.send("POST", "assignments", "[]").status == 422)
        #expect(await browser.send("POST", "assignments", #"{"units":["u-1"]}"#).status == 422)
        #expect(await browser.send("POST", "assignments", #"{"units":{},"country":1}"#).status == 422)
        #expect(await browser.send("POST", "assignments", "{").status == 400)
        #expect(setup.experiments.counters.exposuresTracked == 0)
        #expect(setup.tracker("a")?.counters.tracked == 0)
        await setup.shutdown(timeout: .zero)
    }
}
