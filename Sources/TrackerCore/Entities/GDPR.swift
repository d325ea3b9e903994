/// The lawful basis of processing (GDPR, article 6) and the document that explains it,
/// `iglu:com.snowplowanalytics.snowplow/gdpr/jsonschema/1-0-0`.
///
/// Parameters that are nil, the default, are left out. Snowplow rejects events with a value outside its bounds.
public struct GDPR: Sendable, Hashable {
    /// The lawful bases of article 6 (1).
    @nonexhaustive
    public enum Basis: String, Sendable, Hashable, CaseIterable {
        /// The user consented.
        case consent
        /// It is necessary for a contract.
        case contract
        /// It is necessary for a legal obligation.
        case legalObligation = "legal_obligation"
        /// It protects the vital interests of a person.
        case vitalInterests = "vital_interests"
        /// It is necessary for a task in the public interest.
        case publicTask = "public_task"
        /// It is necessary for legitimate interests.
        case legitimateInterests = "legitimate_interests"
    }

    /// The basis as an entity.
    public let entity: Entity

    /// Creates a basis with its document.
    /// - Parameters:
    ///   - basis: The lawful basis.
    ///   - documentID: The id of the document, at most 255 characters.
    ///   - documentVersion: The version of the document, at most 16 characters.
    ///   - documentDescription: The description of the document, at most 4,096 characters.
    public init(
        basis: Basis, documentID: String? = nil, documentVersion: String? = nil, documentDescription: String? = nil
    ) {
        let data = JSONObject(data: [
            "basisForProcessing": basis.rawValue, "documentId": documentID, "documentVersion": documentVersion,
            "documentDescription": documentDescription,
        ])
        entity = Entity(schema: "iglu:com.snowplowanalytics.snowplow/gdpr/jsonschema/1-0-0", data: data)
    }
}
