import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerTesting

@Suite("A setup without trackers")
struct SetupWithoutTrackersTests {
    private let directory = TemporaryDirectory()
    private let bundle = #"{"namespace":"a","networkConfiguration":{"endpoint":"https://collector.example"}}"#

    /// Publishes a document with a feature.
    private func publish(_ version: Int, bundles: String = "") {
        directory.write(
            """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion":\(version),"configurationBundle":[\(bundles)],
            "features":{"search":{"enabled":true,"variables":{"pageSize":{"value":20}}}}}
            """, to: "document.json")
    }

    /// A setup that has fetched the document.
    private func setup() async throws -> Setup {
        var options = SetupOptions()
        options.stateDirectory = directory.file("state")
        options.cacheDirectory = directory.file("cache")
        options.transport = ScriptedTransport()
        let setup = try Setup(
            remote: RemoteConfiguration(endpoint: "file:" + directory.file("document.json")), options: options)
        await setup.refresh()
        return setup
    }

    private var eventFiles: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.file("state"))) ?? []
        return names.filter { $0.hasPrefix("events-") }
    }

    @Test("has no event store until a document brings the first tracker")
    func features() async throws {
        publish(1)
        let setup = try await setup()
        #expect(setup.features.isEnabled("search"))
        #expect(eventFiles.isEmpty)
        #expect(setup.unclaimedEvents.isEmpty)

        publish(2, bundles: bundle)
        #expect(await setup.refresh() == .applied(version: 2, namespaces: ["a"]))
        #expect(setup.tracker("a")?.track(Structured(category: "c", action: "a")) != nil)
        #expect(!eventFiles.isEmpty)
        #expect(await setup.shutdown(timeout: .zero).stored == 1)
    }

    @Test("takes no events after its shutdown, whatever document comes")
    func shutdown() async throws {
        publish(1)
        let setup = try await setup()
        let report = await setup.shutdown(timeout: .zero)
        #expect((report.sent, report.stored, report.dropped) == (0, 0, 0))
        publish(2, bundles: bundle)
        await setup.refresh()
        #expect(eventFiles.isEmpty)
    }
}
