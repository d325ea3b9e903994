import Foundation
import TestSupport
import Testing
import TrackerCore

@testable import TrackerConfig
@testable import TrackerFeatures

/// What a warehouse learns of a fleet.
@Suite("Fleet events", .endsWhenItHangs)
struct FleetEventsTests {
    private let service = Service()

    private static func text(_ version: Int, at host: String, _ more: String = "") -> String {
        return DocumentText.document(
            version,
            DocumentText.bundle(
                "ops", at: host, #""emitter":{"bufferOption":"Single"}"#, #""tracker":{"base64encoding":false}"#),
            DocumentText.bundle("a", at: host), more: more)
    }

    /// The fleet events that collectors got, each once, as `name {data}`.
    private var told: [String] {
        var known: Set<String?> = []
        return service.delivered.compactMap { event in
            guard known.insert(event["eid"]).inserted, let text = event["ue_pr"],
                let data = try? JSONReader.read(Array(text.utf8)).value["data"],
                let schema = data["schema"]?.string, schema.hasPrefix("iglu:io.tracker-config/")
            else { return nil }
            return "\(schema.split(separator: "/")[1]) \(data["data"] ?? .null)"
        }
    }

    @Test(
        "each configuration that is applied, a rejected document once, and the way back are told by the chosen tracker")
    func story() async throws {
        service.serve(Self.text(1, at: "one.example"))
        let setup = try await service.started(configure: {
            $0.fleetNamespace = "ops"
            $0.instanceID = "pod-1"
        })
        for _ in 0..<3 {
            service.serve("{")
            await setup.refresh()
        }
        let tracker = try #require(setup.tracker("ops"))
        for _ in 0..<20 { await tracker.deliver() }
        service.serve(Self.text(2, at: "two.example", #","rollout":{"percent":100}"#))
        await setup.refresh()
        service.collector("two.example", answers: 400)
        for _ in 0..<20 { await tracker.deliver() }
        _ = await setup.updater.observeCanary()
        service.collector("two.example", answers: 200)
        await tracker.flush()
        let id = #""instanceId":"pod-1""#
        let told = self.told
        #expect(told.count == 4)
        let applied = #"configuration_applied {"version"#
        #expect(told.contains(#"\#(applied)":1,"state":"fetched",\#(id)}"#))
        #expect(told.contains(#"\#(applied)":2,"previousVersion":1,"state":"fetched",\#(id)}"#))
        let reason = "the object that begins at 1:1 is not closed (line 1, column 2)"
        #expect(told.contains(#"configuration_rejected {"reason":"\#(reason)",\#(id)}"#))
        let reverted = try #require(told.last)
        #expect(reverted.hasPrefix(#"configuration_reverted {"version":2,"activeVersion":1,"reason":"ops failed "#))
        #expect(reverted.contains(" requests ("))
        await setup.shutdown(timeout: .zero)
        service.serve(status: 304)
        let again = try await service.started(configure: { $0.fleetNamespace = "ops" })
        await again.tracker("ops")?.flush()
        #expect(
            self.told.last?.hasPrefix(#"configuration_applied {"version":1,"state":"cached","instanceId":""#) == true)
        await again.shutdown(timeout: .zero)
    }

    @Test("without a namespace, or without its tracker, nobody is told and nothing fails", arguments: [nil, "zz"])
    func quiet(namespace: String?) async throws {
        service.serve(Self.text(1, at: "one.example"))
        let setup = try await service.started(configure: { $0.fleetNamespace = namespace })
        await setup.tracker("ops")?.flush()
        #expect(told == [])
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "each is good for a collector that checks the project's schemas",
        .enabled(if: Micro.isHere, "the shared collector is not beside the checkout"), .mayBlock)
    func schemas() async throws {
        let micro = try Micro()
        let pipeline = EventPipeline(stateDirectory: nil)
        let bundle = ConfigurationBundle(namespace: "ops", network: NetworkConfiguration(endpoint: micro.url))
        let registry = TrackerRegistry(
            defaults: [bundle], pipeline: SetupPipeline(time: SystemTime()) { _ in pipeline })
        _ = try registry.apply(nil)
        for instanceID in ["pod-1", nil] {
            let events = FleetEvents(registry: registry, namespace: "ops", instanceID: instanceID)
            for version in [nil, 3] {
                let configuration = ActiveConfiguration(DefaultConfiguration(bundles: []), version: version, at: 0)
                events.record(.applied(configuration, previousVersion: version))
                events.record(
                    .reverted(from: 4, to: configuration, reason: String(repeating: "é", count: 5000)))
            }
            for state in [ConfigurationState.cached, .fetched] {
                let document = try Document(Array(Self.text(9, at: "x").utf8))
                let configuration = ActiveConfiguration(state, document, [], DocumentValidators(), at: 0)
                events.record(.applied(configuration, previousVersion: nil))
            }
            do throws(ConfigurationError) {
                _ = try Document(Array(DocumentText.document(5, DocumentText.bundle("a", at: "ftp://x")).utf8))
            } catch {
                events.record(.rejected(error))
            }
            do throws(ConfigurationError) { _ = try Document([0xFF]) } catch { events.record(.rejected(error)) }
        }
        #expect(await registry.tracker("ops")?.flush(timeout: .seconds(600)).sent == 16)
        await pipeline.shutdown()
        #expect(try await micro.get("/micro/bad").array?.count == 0)
        #expect(try await micro.get("/micro/all")["total"]?.int == 16)
    }
}
