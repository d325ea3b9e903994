import TestSupport
import Testing
import TrackerCore

@Suite("URIs of schemas in Iglu", .endsWhenItHangs)
struct IgluURITests {
    // As Snowplow's Enrich reads them.
    @Test(
        "a vendor, a name, a format and a version of three numbers are a URI, and nothing else is",
        arguments: [
            ("iglu:com.acme-shop_2/order_line-Item/jsonschema/10-20-305", true), ("iglu:a/b/c/1-0-0", true),
            ("iglu:A9/Z0/a_z/9-9-9", true), ("iglu:a/b/c/0-0-0", false), ("iglu:a/b/c/01-0-0", false),
            ("iglu:a/b/c/1-00-0", false), ("iglu:a/b/c/1-0-01", false), ("iglu:a/b/c/1-0", false),
            ("iglu:a/b/c/1-0-0-0", false), ("iglu:a/b/c/1--0", false), ("iglu:a/b/c/1-0-a", false),
            ("iglu:a/b.c/c/1-0-0", false), ("iglu:a/b/c.d/1-0-0", false), ("iglu:/b/c/1-0-0", false),
            ("iglu:a//c/1-0-0", false), ("iglu:a/b//1-0-0", false), ("iglu:a/b/c/1-0-0/", false),
            ("iglu:a/b/1-0-0", false), ("iglu:a b/b/c/1-0-0", false), ("iglu:a@/b/c/1-0-0", false),
            ("iglu:a[/b/c/1-0-0", false), ("iglu:a`/b/c/1-0-0", false), ("iglu:a{/b/c/1-0-0", false),
            ("iglu:a:/b/c/1-0-0", false), ("", false), ("iglu:", false), ("iglu:a/b/c/1-0-\u{e9}", false),
            ("iglu:\u{e9}/b/c/1-0-0", false), ("Iglu:a/b/c/1-0-0", false), ("iglu:a/b/c/1-0-0\n", false),
        ])
    func isURI(text: String, isURI: Bool) async throws {
        let tracker = try await Rig().idleTracker()
        #expect(tracker.track(SelfDescribing(schema: text, data: [:])) != nil)
        #expect(tracker.counters.malformedSchemas == (isURI ? 0 : 1))
    }
}
