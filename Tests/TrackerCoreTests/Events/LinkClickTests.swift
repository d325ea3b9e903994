import TestSupport
import Testing
import TrackerClientEvents
import TrackerCore

@Suite("LinkClick", .endsWhenItHangs)
struct LinkClickTests {
    @Test("A link leads somewhere")
    func targetIsNotEmpty() {
        #expect(
            sentence { try LinkClick(targetURL: "") }
                == "LinkClick: targetURL: expected at least 1 character, found 0")
        #expect(sentence { try LinkClick(targetURL: "#") } == nil)
    }

    @Test("What is not given is left out")
    func leastDataIsTheTarget() throws {
        let click = try LinkClick(targetURL: "/next")
        #expect(click.data == ["targetUrl": "/next"])
        #expect(click.schema == "iglu:com.snowplowanalytics.snowplow/link_click/jsonschema/1-0-1")
    }
}
