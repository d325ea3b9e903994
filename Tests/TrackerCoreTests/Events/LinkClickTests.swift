import TestSupport
import Testing
import TrackerClientEvents
import TrackerCore

@Suite("LinkClick", .endsWhenItHangs)
struct LinkClickTests {
    @Test("What is not given is left out")
    func leastDataIsTheTarget() {
        let click = LinkClick(targetURL: "/next")
        #expect(click.data == ["targetUrl": "/next"])
        #expect(click.schema == "iglu:com.snowplowanalytics.snowplow/link_click/jsonschema/1-0-1")
    }
}
