import Testing
import TrackerConfig

/// JSONTestSuite, through the reader of documents.
@Suite("JSONTestSuite", .enabled(if: SharedData.has("suites/json"), "../shared/suites/json is not there"))
struct JSONTests {
    private static let repeatedKey = "an object that repeats a key is refused, because readers disagree on its value"

    @Test("valid texts are read, others are refused, and none crashes")
    func parsing() throws {
        var judgement = Judgement(
            "JSONTestSuite: all files, as a member of a document", file: "json", bar: 316.0 / 318,
            known: [
                "y_object_duplicated_key.json": Self.repeatedKey,
                "y_object_duplicated_key_and_value.json": Self.repeatedKey,
            ])
        let names = try SharedData.files("suites/json", ".json")
        for name in names {
            let text = try SharedData.bytes("suites/json/\(name)")
            let isRead = (try? Document.value(of: text)) != nil
            // The texts of other names may be read or refused.
            let expected = name.hasPrefix("y_") ? true : name.hasPrefix("n_") ? false : isRead
            judgement.judge(name, expected) { isRead }
        }
        try judgement.finish()
    }
}
