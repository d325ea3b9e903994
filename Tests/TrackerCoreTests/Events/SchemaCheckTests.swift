import Foundation
import TestSupport
import Testing
import TrackerClientEvents
import TrackerCore

@Suite("events against the Iglu schemas", .endsWhenItHangs, .mayBlock)
struct SchemaCheckTests {
    @Test(
        "every event and entity is good, by GET and POST, base64 compressed and plain",
        .enabled(if: Micro.isHere, "the shared collector is not beside the checkout"),
        arguments: [NetworkConfiguration.Method.get, .post], [true, false])
    func isGood(method: NetworkConfiguration.Method, isBase64: Bool) async throws {
        let micro = try Micro()
        let pipeline = EventPipeline(stateDirectory: nil)
        let tracker = try Tracker(
            ConfigurationBundle(
                namespace: "corpus",
                network: NetworkConfiguration {
                    $0.endpoint = micro.url
                    $0.method = method
                    $0.compression = isBase64
                },
                tracker: TrackerConfiguration {
                    $0.base64Encoding = isBase64
                    $0.sessionContext = true
                    $0.platformContext = true
                    $0.applicationContext = true
                    $0.applicationVersion = "1.2.3"
                    $0.geoLocationContext = true
                },
                subject: EventSubject {
                    $0.location = GeoLocation(latitude: 46.95, longitude: 7.44)
                    $0.screenResolution = "1920x1080"
                    $0.colorDepth = 24
                }),
            pipeline: pipeline)
        let events =
            EventCorpus.events() + [
                Structured(category: "c", action: "a", label: "l", property: "p", value: -1.5),
                PageView(url: "https://example.com", title: "t", referrer: "https://example.org"),
                ScreenView(name: "one"), ScreenView(name: "two", type: "feed", transitionType: "push"),
                Timing(category: "c", variable: "v", timing: 1.5, label: "l"),
            ]
        for event in events { #expect(tracker.track(event) != nil) }
        let report = await tracker.flush(timeout: .seconds(600))
        #expect(report.sent == events.count)
        await pipeline.shutdown()
        let bad = try await micro.get("/micro/bad").array ?? []
        let faults = bad.flatMap { $0["errors"]?.array ?? [] }.compactMap(\.string)
            // The collector checks "multiple of 0.01" in binary, where 19.99 is none; EventCorpus has such amounts.
            .filter { !$0.contains("is not a multiple of 0.01") }
        #expect(faults == [])
        let counts = try await micro.get("/micro/all")
        #expect(counts["total"]?.int == events.count)
    }
}
