import Testing
import TrackerCore
import TrackerEcommerce

struct ConsentDocumentTests {
    @Test(
        "Values are bounded as the schema has it",
        arguments: [
            Bound.text("id", atMost: 36) { try ConsentDocument(id: $0, version: "1") },
            Bound.text("version", atMost: 36) { try ConsentDocument(id: "i", version: $0) },
            Bound.text("name", atMost: 60) { try ConsentDocument(id: "i", version: "1", name: $0) },
            Bound.text("documentDescription", atMost: 10_000) {
                try ConsentDocument(id: "i", version: "1", documentDescription: $0)
            },
        ])
    func valuesAreBounded(_ bound: Bound) {
        bound.check("ConsentDocument")
    }

    @Test("A document is an entity")
    func documentIsEntity() throws {
        let entity = try ConsentDocument(id: "i", version: "1", name: "n", documentDescription: "d").entity
        #expect(entity.data == ["id": "i", "version": "1", "name": "n", "description": "d"])
        #expect(entity.schema == "iglu:com.snowplowanalytics.snowplow/consent_document/jsonschema/1-0-0")
    }
}
