import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

/// Sections that bundles and layers share.
@Suite("ConfigurationBundle", .endsWhenItHangs)
struct ConfigurationBundleTests {
    @Test("a copy that is changed leaves the original as it was, and so does a tracker that is changed at run time")
    func copiesAreIndependent() throws {
        let original = ConfigurationBundle(
            namespace: "n", network: NetworkConfiguration(endpoint: "https://a.example"),
            subject: SubjectConfiguration { $0.userID = "u" })
        var copy = original
        #expect(copy == original)
        copy.network?.endpoint = "https://b.example"
        copy.subject = nil
        copy.emitter = EmitterConfiguration { $0.emitRange = 1 }
        #expect(original.network?.endpoint == "https://a.example")
        #expect(original.subject?.userID == "u")
        #expect(original.emitter == nil)
        #expect(copy.network?.endpoint == "https://b.example")
        #expect(copy != original)

        let tracker = try Tracker(original, pipeline: EventPipeline(stateDirectory: nil))
        try tracker.subject.set(\.userID, to: "other")
        try tracker.network.set(\.endpoint, to: "https://c.example")
        #expect(tracker.subject.userID == "other")
        #expect(original.subject?.userID == "u")
        #expect(original.network?.endpoint == "https://a.example")
        tracker.subject.reset(\.userID)
        #expect(tracker.subject.userID == "u")
    }

    @Test("trackers with the same endpoint share its URL, and URLs that differ in Unicode normalization alone are two")
    func sharesCollectors() throws {
        let urls = CollectorURLs()
        func text(_ endpoint: String, fallbacks: [String]? = nil) throws -> [String] {
            var network = NetworkConfiguration(endpoint: endpoint)
            network.fallbackEndpoints = fallbacks
            return try urls.collectors(of: network).map(\.text)
        }
        let (composed, decomposed) = ("https://c.example/\u{E9}", "https://c.example/e\u{301}")
        for endpoint in [composed, decomposed, composed] {
            #expect(try text(endpoint)[0].utf8.elementsEqual(endpoint.utf8))
        }
        // Fallbacks belong to their own tracker.
        #expect(try text("https://a.example", fallbacks: ["https://b.example"]).count == 2)
        #expect(try text("https://a.example") == ["https://a.example"])
        #expect(try text("https://a.example", fallbacks: ["c.example"]) == ["https://a.example", "https://c.example"])
        let error = #expect(throws: ConfigurationError.self) {
            try text("https://a.example", fallbacks: ["x.example", "://"])
        }
        #expect(error?.place == "network.fallbackEndpoints[1]")
        // Nothing that cannot be used is remembered.
        for _ in 1...2 { #expect(throws: ConfigurationError.self) { try text("ftp://a.example") } }
    }
}
