import TestSupport
import Testing
import TrackerCore
import TrackerTesting

/// Sections that bundles and layers share.
@Suite("ConfigurationBundle", .endsWhenItHangs)
struct ConfigurationBundleTests {
    @Test("a copy that is changed leaves the original as it was, and so does a tracker that is changed at run time")
    func copiesAreIndependent() throws {
        let original = ConfigurationBundle(
            namespace: "n", network: NetworkConfiguration(endpoint: "https://a.example"),
            subject: EventSubject { $0.userID = "u" })
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

    @Test("a tracker's collector is its endpoint, as it is written, and https if it has no scheme")
    func collector() throws {
        func text(_ endpoint: String) throws -> String {
            try EffectiveSettings.sample { $0.network?.endpoint = endpoint }.endpoint.text
        }
        let (composed, decomposed) = ("https://c.example/\u{E9}", "https://c.example/e\u{301}")
        for endpoint in [composed, decomposed] { #expect(try text(endpoint).utf8.elementsEqual(endpoint.utf8)) }
        #expect(try text("c.example") == "https://c.example")
        let error = #expect(throws: ConfigurationError.self) { try text("ftp://a.example") }
        #expect(error?.place == "network.endpoint")
    }
}
