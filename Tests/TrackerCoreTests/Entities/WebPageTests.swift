import Foundation
import Testing
import TrackerClientEvents
import TrackerCore

struct WebPageTests {
    @Test("The id is written in lower case")
    func idIsLowerCase() throws {
        let id = try #require(UUID(uuidString: "0F8FAD5B-D9CB-469F-A165-70867728950E"))
        let entity = WebPage(id: id).entity
        #expect(entity.data == ["id": "0f8fad5b-d9cb-469f-a165-70867728950e"])
        #expect(entity.schema == "iglu:com.snowplowanalytics.snowplow/web_page/jsonschema/1-0-0")
    }
}
