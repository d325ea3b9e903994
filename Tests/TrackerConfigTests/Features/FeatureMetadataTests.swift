import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// What authors say about features.
@Suite("Metadata of features", .endsWhenItHangs)
struct FeatureMetadataTests {
    @Test("goes with the details of a read, from the highest source that has some")
    func details() async throws {
        let shop = FeatureService()
        shop.publish(
            1,
            """
            {"f":{"enabled":true,"metadata":{"owner":"growth","since":2,"public":true,"share":0.5,"gone":null}},
            "g":{"variables":{"v":{"value":1}}},"off":{"disabled":true,"metadata":{"why":"broken"}}}
            """)
        let setup = try await shop.start(
            default: #"{"f":{"metadata":{"owner":"old","more":1}},"g":{"metadata":{"owner":"search"}}}"#)
        let metadata: [String: JSONValue] = ["owner": "growth", "since": 2, "public": true, "share": 0.5]
        #expect(setup.features.detail("f").metadata == metadata)
        #expect(setup.features.detail("f", variable: "none", default: 1).metadata == metadata)
        #expect(setup.features.detail("g", variable: "v", default: 0).metadata == ["owner": "search"])
        #expect(setup.features.detail("off").metadata == ["why": "broken"])
        #expect(setup.features.detail("unknown").metadata.isEmpty)
        try setup.features.overrides.setEnabled(false, for: "f")
        #expect(setup.features.detail("f").metadata == metadata)
        await setup.shutdown(timeout: .zero)
    }

    @Test("what cannot be used is left out with its place, and the document is applied")
    func warnings() throws {
        let text = DocumentText.document(
            1, more: #","features":{"f":{"metadata":{"a":[1],"b":{"c":1},"d":"kept"}},"g":{"metadata":3}}"#)
        let document = try Document(Array(text.utf8))
        #expect(
            document.warnings.map { "\($0.place): \($0.reason)" } == [
                "features.f.metadata.a: expected a string, a number or a boolean, found a list; it is left out",
                "features.f.metadata.b: expected a string, a number or a boolean, found an object; it is left out",
                "features.g.metadata: expected an object, found a number; it is left out",
            ])
        #expect(Features(document.features).detail("f").metadata == ["d": "kept"])
    }
}
