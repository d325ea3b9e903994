import Testing
import TrackerCore

struct GDPRTests {
    @Test(
        "Values are bounded as the schema has it",
        arguments: [
            Bound.text("documentId", atMost: 255) { try GDPR(basis: .consent, documentID: $0) },
            Bound.text("documentVersion", atMost: 16) { try GDPR(basis: .consent, documentVersion: $0) },
            Bound.text("documentDescription", atMost: 4096) { try GDPR(basis: .consent, documentDescription: $0) },
        ])
    func valuesAreBounded(_ bound: Bound) {
        bound.check("GDPR")
    }

    @Test("Each basis has the name of the schema")
    func basesAreNamed() throws {
        #expect(
            Set(GDPR.Basis.allCases.map(\.rawValue)) == [
                "consent", "contract", "legal_obligation", "vital_interests", "public_task", "legitimate_interests",
            ])
        let entity = try GDPR(basis: .publicTask, documentVersion: "1").entity
        #expect(entity.data == ["basisForProcessing": "public_task", "documentVersion": "1"])
        #expect(entity.schema == "iglu:com.snowplowanalytics.snowplow/gdpr/jsonschema/1-0-0")
    }
}
