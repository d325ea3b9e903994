import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig
@testable import TrackerConsole

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

    @Test("tells the version, its source, the last fetches and when the next one is due")
    func overview() async throws {
        shop.publish(3, "{}")
        let setup = try shop.service.start(
            "https://config.example/trackers.json?key=secret", remote: { $0.pollInterval = .seconds(1000) })
        await shop.service.settled()
        await shop.service.time.waitForSleep(in: .seconds(500)...(.seconds(1500)))
        let browser = ConsoleBrowser(setup) { $0.title = "shop" }
        var overview = await browser.get("overview")
        #expect(overview["title"] == "shop")
        #expect(overview["allowsChanges"] == false)
        #expect((overview.at("document.state"), overview.at("document.version")) == ("fetched", 3))
        #expect(overview.at("document.source") == "https://config.example/trackers.json?key=***")
        #expect((overview.at("changes.0.kind"), overview.at("changes.0.count")) == ("applied", 1))
        #expect(overview.at("changes.0.needsAttention") == false)
        #expect(overview["pollIntervalSeconds"] == 1000)
        #expect(overview.at("process.processID") == .int(Int(getpid())))
        #expect(overview.at("process.sdkVersion").string?.isEmpty == false)
        let now = try #require(overview["now"]?.int)
        let next = try #require(overview["nextFetchTime"]?.int)
        #expect(now == Int(shop.service.time.wallTime) && (now + 500_000...now + 1_500_000).contains(next))
        shop.service.serve("{")
        for _ in 0..<3 { await setup.refresh() }
        overview = await browser.get("overview")
        // Repetitions are one row, and hide nothing.
        #expect(overview["changes"]?.array?.map { $0.at("kind") } == ["rejected", "applied"])
        #expect((overview.at("changes.0.count"), overview.at("changes.0.needsAttention")) == (3, true))
        #expect(overview.at("document.version") == 3)
        await setup.shutdown(timeout: .zero)
        // Nobody polls any more.
        #expect(await browser.get("overview")["nextFetchTime"] == .null)
    }

    @Test("tells what differs from the default, what stands in whose place, and who says so")
    func differences() async throws {
        shop.publish(2, Self.features, experiments: Self.experiment)
        let (setup, browser) = try await shop.browse(
            default: #"{"f":{"enabled":false,"variables":{"x":{"value":1},"same":{"value":"s"}}}}"#)
        try setup.tracker("a")?.subject.set(\.userID, to: "u-1")
        try setup.features.overrides.force("fast", of: "e")
        let found = await browser.get("overview?filter=")
        let lines = (found["differences"]?.array ?? []).map(\.description)
        #expect(
            lines == [
                #"{"kind":"tracker","namespace":"a","name":"subject.userId","value":"u-1","origin":"runtime","#
                    + #""isFromDocument":false}"#,
                #"{"kind":"feature","feature":"f","value":true,"origin":"remote, version 2","instead":false,"#
                    + #""isFromDocument":true}"#,
                #"{"kind":"variable","feature":"f","name":"key","origin":"remote, version 2","isSecret":true,"#
                    + #""isFromDocument":true}"#,
                #"{"kind":"variable","feature":"f","name":"x","origin":"remote, version 2","isSecret":false,"value":2,"#
                    + #""instead":1,"isFromDocument":true}"#,
                #"{"kind":"variant","name":"e","value":"fast","origin":"override","isFromDocument":false}"#,
            ])
        #expect((found["matching"], found["total"], found["offset"]) == (5, 5, 0))
        let overview = await browser.get("overview")
        #expect(overview.at("counts.variables") == 3)
        #expect(overview.at("counts.forced") == 1)
        // What is not from the document comes first, and each once.
        let exceptions = overview["exceptions"]?.array ?? []
        #expect(exceptions.map { $0.at("kind") } == ["override", "setting"])
        #expect((exceptions[0].at("experiment"), exceptions[0].at("value")) == ("e", "fast"))
        #expect((exceptions[1].at("name"), exceptions[1].at("origin")) == ("subject.userId", "runtime"))
        await setup.shutdown(timeout: .zero)
    }

    @Test("an override shows what is in effect without it, whichever source gives that, and no secret")
    func withoutOverride() async throws {
        shop.publish(2, #"{"f":{"variables":{"d":{"value":5},"key":{"value":"SECRET","encrypted":true}}}}"#)
        let setup = try await shop.start(
            default: #"{"f":{"enabled":true,"variables":{"x":{"value":3},"d":{"value":4}}}}"#)
        try setup.features.overrides.set(12, for: "f", variable: "x")
        try setup.features.overrides.set(6, for: "f", variable: "d")
        try setup.features.overrides.set("SECRET", for: "f", variable: "key")
        try setup.features.overrides.setEnabled(false, for: "f")
        let rows = await ConsoleBrowser(setup).get("overview")["exceptions"]?.array ?? []
        let below = rows.map { "\($0.at("name").string ?? "enabled"): \($0.at("instead"))" }
        #expect(Set(below) == ["enabled: true", "d: 5", "x: 3", "key: null"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("tells of trackers that the default has not, or that are gone")
    func trackerDifferences() async throws {
        let added = DocumentText.bundle("b", at: "https://collector.example")
        shop.service.serve(DocumentText.document(2, DocumentText.bare("a"), added))
        let setup = try await shop.start()
        let lines = (await ConsoleBrowser(setup).get("overview?filter=")["differences"]?.array ?? []).map(\.description)
        #expect(
            lines == [
                #"{"kind":"tracker","namespace":"b","isAdded":true,"value":"https://collector.example","#
                    + #""origin":"remote, version 2","isFromDocument":true}"#,
                #"{"kind":"tracker","namespace":"a","isRemoved":true,"isFromDocument":true}"#,
            ])
        await setup.shutdown(timeout: .zero)
    }

    @Test("tells of a secret that differs, and of no tracker that the default alone has not either")
    func subtleDifferences() async throws {
        shop.service.serve(status: 404)
        let setup = try shop.service.start(default: [
            ConfigurationBundle(namespace: "unsent"),
            ConfigurationBundle(
                namespace: "a",
                network: NetworkConfiguration {
                    $0.endpoint = "https://collector.example"
                    $0.requestHeaders = [HTTPHeader(name: "X-Key", value: "SECRET-1")]
                }),
        ])
        await shop.service.settled()
        let browser = ConsoleBrowser(setup)
        #expect(await browser.get("overview?filter=")["differences"] == [])
        try setup.tracker("a")?.network.set(\.requestHeaders, to: [HTTPHeader(name: "X-Key", value: "SECRET-2")])
        let answer = await browser.send("GET", "overview?filter=")
        #expect(answer.json["differences"]?.array?.map { $0.at("name") } == ["network.requestHeaders"])
        #expect(!answer.text.contains("SECRET"))
        await setup.shutdown(timeout: .zero)
    }

    @Test("a thousand differences are searched and turned like pages, none left out")
    func manyDifferences() async throws {
        let variables = (0..<1000).map { #""v\#($0)":{"value":\#($0)}"# }.joined(separator: ",")
        shop.publish(2, #"{"f":{"variables":{\#(variables)}}}"#)
        let (setup, browser) = try await shop.browse()
        var names: Set<String> = []
        for offset in stride(from: 0, to: 1000, by: 300) {
            let part = await browser.get("overview?filter=&offset=\(offset)&limit=300")
            #expect((part["matching"], part["total"]) == (1000, 1000))
            names.formUnion((part["differences"]?.array ?? []).compactMap { $0.at("name").string })
        }
        #expect(names.count == 1000)
        let found = await browser.get("overview?filter=F.V999")
        #expect(found["differences"]?.array?.map { $0.at("name") } == ["v999"])
        #expect((found["matching"], found["total"]) == (1, 1000))
        #expect(await browser.get("overview?filter=nowhere")["matching"] == 0)
        // A page that is not there any more is the last one.
        #expect(await browser.get("overview?filter=&offset=5000&limit=300")["offset"] == 900)
        for query in ["limit=0", "limit=501", "limit=x", "offset=-1"] {
            #expect(await browser.send("GET", "overview?filter=&\(query)").status == 400, "\(query)")
        }
        await setup.shutdown(timeout: .zero)
    }

    @Test("shows a tracker's settings, their layers, the values that they override, and the outcome of its events")
    func trackers() async throws {
        shop.publish(2, "{}")
        let (setup, browser) = try await shop.browse()
        let tracker = try #require(setup.tracker("a"))
        try tracker.network.set(\.requestHeaders, to: [HTTPHeader(name: "X-Key", value: "secret")])
        try tracker.subject.set(\.userID, to: "u-1")
        await tracker.deliver()
        let row = await browser.get("trackers").at("trackers.0")
        #expect(row.at("namespace") == "a")
        #expect((row.at("tracked"), row.at("sent"), row.at("waiting"), row.at("dropped")) == (1, 1, 0, 0))
        #expect(row.at("failingSince") == .null && row.at("lastSuccess").int != nil)
        let card = await browser.get("trackers?namespace=a").at("tracker")
        #expect(card.at("endpoint") == "collector.example")
        #expect(card.at("hour.minutes").array?.count == 60)
        let settings = card.at("settings").array ?? []
        let user = try #require(settings.first { $0.at("field") == "subject.userId" })
        #expect((user.at("layer"), user.at("value")) == ("runtime", "u-1"))
        let endpoint = try #require(settings.first { $0.at("field") == "network.endpoint" })
        #expect((endpoint.at("layer"), endpoint.at("version")) == ("remote", 2))
        #expect(endpoint.at("overridden.0.layer") == "default")
        #expect(!card.description.contains("secret"))
        #expect(await browser.send("GET", "trackers?namespace=other").status == 404)
        await setup.shutdown(timeout: .zero)
    }

    @Test("shows the warnings of the document in use with their places")
    func warnings() async throws {
        shop.service.serve(DocumentText.document(2, "\n" + DocumentText.bundle("a", #""tracker":{"appid":"shop"}"#)))
        let setup = try await shop.start()
        let warnings = await ConsoleBrowser(setup).get("overview").at("document.warnings")
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
        for view in ["overview", "trackers", "features", "experiments", "difference", "live"] {
            #expect(!(await browser.send("GET", view).text.contains("SECRET")), "\(view)")
        }
        await setup.shutdown(timeout: .zero)
    }

    @Test("shows the shares of variants, who takes part and what is forced")
    func experiments() async throws {
        shop.publish(2, Self.features, experiments: Self.experiment)
        let setup = try await shop.start()
        try setup.features.overrides.force("fast", of: "e")
        let experiment = await ConsoleBrowser(setup).get("experiments").at("experiments.0")
        #expect((experiment.at("id"), experiment.at("unit"), experiment.at("forced")) == ("e", "userId", "fast"))
        #expect(
            (experiment.at("coverage"), experiment.at("countries"), experiment.at("languages")) == (0.5, ["US"], .null))
        let variants = experiment.at("variants").array ?? []
        #expect(variants.map { $0.at("name") } == ["control", "fast"])
        #expect(variants.map { $0.at("weight") } == [3, 1])
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
