import FoundationEssentials
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerPlatform
import TrackerTesting

@Suite("Setup.test", .endsWhenItHangs)
struct TestSetupTests {
    /// A document with one tracker, a feature, and a sticky experiment.
    static func document(_ version: Int, namespace: String = "shop", limit: Int = 3) -> String {
        """
        {"$schema":"http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
        "configurationVersion":\(version),"configurationBundle":[{"namespace":"\(namespace)",
        "networkConfiguration":{"endpoint":"collector.example"}}],
        "features":{"checkout":{"enabled":true,"variables":{"limit":{"value":\(limit)}}}},
        "experiments":[{"id":"colour","unit":"userId","sticky":true,"variants":[
        {"name":"blue","weight":0.5},{"name":"red","weight":0.5}]}]}
        """
    }

    @Test("starts with the document, and its trackers send to the collector, after a failure when the clock is moved")
    func starts() async throws {
        let test = try await Setup.test(document: Self.document(1))
        test.collector.fail(.status(503), next: 1)
        #expect(test.setup.namespaces == ["shop"])
        #expect(test.setup.features.value("checkout", variable: "limit", default: 0) == 3)
        test.setup.tracker("shop")?.track(Structured(category: "cart", action: "add"))
        let start = test.time.now
        let event = try #require(try await test.collector.waitForEvents(1, advancing: test.time).first)
        #expect(event.namespace == "shop" && event.name == "add")
        #expect(event.time == start)
        #expect(test.collector.requests.count == 2)
    }

    @Test("applies a document that is published, and reports it as any other")
    func publishes() async throws {
        let outcomes = Locked<[ConfigurationOutcome]>([])
        let test = try await Setup.test(document: Self.document(1)) {
            $0.onOutcome = { outcome in outcomes.withLock { $0.append(outcome) } }
        }
        try await test.publish(Self.document(2, namespace: "store", limit: 9))
        #expect(test.setup.namespaces == ["shop", "store"])
        test.setup.tracker("store")?.track(Structured(category: "cart", action: "add"))
        #expect(try await test.collector.waitForEvents(1).map(\.namespace) == ["store"])
        #expect(test.setup.features.value("checkout", variable: "limit", default: 0) == 9)
        #expect(
            outcomes.withLock { $0 } == [
                .applied(version: 1, namespaces: ["shop"]), .applied(version: 2, namespaces: ["store"]),
            ])
    }

    @Test("throws why a document is not applied, at the start and later")
    func refuses() async throws {
        let fault = await #expect(throws: DocumentNotApplied.self) { try await Setup.test(document: "{") }
        #expect(fault?.outcome.kind == .rejected)
        #expect(fault?.description.hasPrefix("the document was not applied: the document was rejected: ") == true)
        let test = try await Setup.test(document: Self.document(1))
        let same = await #expect(throws: DocumentNotApplied.self) { try await test.publish(Self.document(1, limit: 4)) }
        #expect(same?.outcome == .unchanged(version: 1, isOtherContent: true))
        #expect(test.setup.features.value("checkout", variable: "limit", default: 0) == 3)
        await #expect(throws: ConfigurationError.self) {
            try await Setup.test(document: Self.document(1)) { $0.serviceName = "" }
        }
    }

    @Test("trackers send at once unless the document has a group of events, also after a poll")
    func sendsAtOnce() async throws {
        let test = try await Setup.test(document: Self.document(1))
        let emitter = try #require(test.setup.tracker("shop")?.emitter)
        #expect(emitter.bufferOption == .single)
        test.source.publish(Self.document(2, namespace: "store"))
        await test.setup.refresh()
        #expect(test.setup.tracker("store")?.emitter.bufferOption == .single)
        let group = Self.document(3).replacing(
            #""collector.example"}"#,
            with: #""collector.example"},"emitterConfiguration":{"bufferOption":"LargeGroup"}"#)
        #expect(try await Setup.test(document: group).setup.tracker("shop")?.emitter.bufferOption == .largeGroup)
    }

    @Test("lets a service see a fetch that fails, and one that succeeds again")
    func failingSource() async throws {
        let test = try await Setup.test(document: Self.document(1))
        test.source.fail(FetchError(.status, reason: "the server answered 503", status: 503))
        #expect(await test.setup.refresh().fetchError?.status == 503)
        try await test.publish(Self.document(2))
        #expect(test.setup.status.document.version == 2)
    }

    @Test("keeps a unit's variant of a sticky experiment in memory")
    func sticky() async throws {
        let store = MemoryAssignments()
        let test = try await Setup.test(document: Self.document(1)) { $0.experiments.assignmentStore = store }
        let context = FeatureContext(userID: "u-1")
        let variant = test.setup.experiments.variant(of: "colour", default: "none", for: context).variant
        #expect(["blue", "red"].contains(variant))
        #expect(await test.setup.experiments.flush(timeout: .seconds(1)))
        #expect(store.assignments.map(\.variant) == [variant])
    }

    @Test("two runs with one seed give events the same ids, another seed gives others")
    func seeded() async throws {
        func id(seed: UInt64) async throws -> EventID? {
            let test = try await Setup.test(document: Self.document(1), seed: seed)
            return test.setup.tracker("shop")?.track(Structured(category: "cart", action: "add"))
        }
        let first = try await id(seed: 7)
        #expect(try await id(seed: 7) == first)
        #expect(try await id(seed: 8) != first)
    }

    @Test("creates no directory and opens no file", .mayBlock)
    func noDisk() async throws {
        await #expect(processExitsWith: .success) {
            // Where no directory can be created, so that the attempt would be a warning. In a process of its own, because the
            // environment is that of all tests.
            for name in ["STATE_DIRECTORY", "XDG_STATE_HOME", "CACHE_DIRECTORY", "XDG_CACHE_HOME", "HOME"] {
                setenv(name, "/proc/tracker-testing", 1)
            }
            let test = try await Setup.test(document: TestSetupTests.document(1))
            _ = test.setup.experiments.variant(of: "colour", default: "", for: FeatureContext(userID: "u-1"))
            test.setup.tracker("shop")?.track(Structured(category: "cart", action: "add"))
            try await test.collector.waitForEvents(1)
            try await test.publish(TestSetupTests.document(2))
            let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
                return target?.contains("sqlite") == true || target?.contains("tracker-testing") == true
            }
            #expect(files.isEmpty)
            #expect(!test.log.records.contains { $0.level <= .warning }, "\(test.log.records)")
        }
    }
}
