extension GDPR: FieldValue {
    package static func read(_ node: JSONNode, warn: (String) -> Void) throws(FieldMismatch) -> GDPR? {
        let value = node.value
        guard let word = value["basisForProcessing"]?.string, let basis = Basis(rawValue: word) else {
            throw FieldMismatch(expected: "an object with basisForProcessing", found: node)
        }
        // Snowplow would reject each event.
        for (name, most) in [("documentId", 255), ("documentVersion", 16), ("documentDescription", 4096)]
        where value[name]?.string?.unicodeScalars.count ?? 0 > most {
            warn("\(name) has more than \(most) characters; the setting stays unset")
            return nil
        }
        return GDPR(
            basis: basis, documentID: value["documentId"]?.string, documentVersion: value["documentVersion"]?.string,
            documentDescription: value["documentDescription"]?.string)
    }

    package var json: JSONValue { .object(entity.data) }
}
