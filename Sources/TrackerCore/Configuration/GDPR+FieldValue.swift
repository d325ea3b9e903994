extension GDPR: FieldValue {
    package static func read(_ node: JSONNode, warn: (String) -> Void) throws(FieldMismatch) -> GDPR? {
        let value = node.approximateValue
        guard let word = value["basisForProcessing"]?.string, let basis = Basis(rawValue: word) else {
            throw FieldMismatch(expected: "an object with basisForProcessing", found: node)
        }
        do throws(EventError) {
            return try GDPR(
                basis: basis, documentID: value["documentId"]?.string,
                documentVersion: value["documentVersion"]?.string,
                documentDescription: value["documentDescription"]?.string)
        } catch {
            warn("\(error); the setting stays unset")
            return nil
        }
    }

    package var json: JSONValue { .object(entity.data) }
}
