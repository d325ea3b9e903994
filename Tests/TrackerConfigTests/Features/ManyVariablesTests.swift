import TestSupport
import Testing
import TrackerConfig

@Suite("Features of many variables", .endsWhenItHangs)
struct ManyVariablesTests {
    @Test("values are judged by the variable of their name among many")
    func judgesValues() throws {
        let count = 17
        let variables = (0..<count).map { "\"number-\($0)\":{\"value\":\($0)}" } + [#""empty":{"title":"none"}"#]
        let values = #""number-\#(count - 1)":"text","number-\#(count)":1,"empty":1"#
        let text = """
            {"$schema":"http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion":1,"configurationBundle":[],
            "features":{"other":{"variables":{"x":{"value":1}}},"shop":{"enabled":true,"variables":{\(variables.joined(separator: ","))}}},
            "experiments":[
            {"id":"first","variants":[{"name":"a","values":{"shop":{\(values)},"other":{"x":2}}}]}]}
            """
        // The variable without a value rejects the document, so only what comes before it is looked at.
        let warnings = Document.Findings(Array(text.utf8)).warnings.map(\.description)
        #expect(warnings.count == 3)
        #expect(warnings[0].contains("the variable is an integer, but this is a string"))
        #expect(warnings[1].contains("has no variable 'number-\(count)'"))
        #expect(warnings[2].contains("has no variable 'empty'"))
    }
}
