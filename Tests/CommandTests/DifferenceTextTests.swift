import Testing
import TrackerCommandLine
import TrackerConfig
import TrackerCore

@testable import DocumentTools
@testable import tracker_config

@Suite("A difference for people")
struct DifferenceTextTests {
    private func document(_ version: Int, _ variable: String) throws -> Document {
        let text = """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion":\(version),"configurationBundle":[],"features":{"f":{"variables":{"v":\(variable)}}}}
            """
        return try Document(Array(text.utf8))
    }

    @Test("tells of a variable whose property has another name, and the JSON form gives both names")
    func generatedName() throws {
        let difference = try ConfigurationDifference(
            from: document(1, #"{"value":1,"generatedName":"a"}"#), to: document(2, #"{"value":1,"generatedName":"b"}"#)
        )
        let lines = DifferenceText(difference, TextStyle(isColoured: false)).lines
        #expect(lines.contains("      ~ v: another generated name"))
        let json = difference.json["features"]?["changed"]?.array?.first?["variables"]?["changed"]?["v"]
        #expect(json == ["old": ["value": 1, "generatedName": "a"], "new": ["value": 1, "generatedName": "b"]])
    }
}
