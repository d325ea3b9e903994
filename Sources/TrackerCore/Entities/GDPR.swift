/// The lawful basis of processing (GDPR, article 6) and the document that explains it,
/// `iglu:com.snowplowanalytics.snowplow/gdpr/jsonschema/1-0-0`.
///
/// Properties that are nil, which is the default, are left out.
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

    /// The lawful basis.
    public let basis: Basis

    /// The id of the document, at most 255 characters.
    public let documentID: String?

    /// The version of the document, at most 16 characters.
    public let documentVersion: String?

    /// The description of the document, at most 4,096 characters.
    public let documentDescription: String?

    /// Creates a basis with its document.
    /// - Parameters:
    ///   - basis: The lawful basis.
    ///   - documentID: The id of the document, at most 255 characters.
    ///   - documentVersion: The version of the document, at most 16 characters.
    ///   - documentDescription: The description of the document, at most 4,096 characters.
    /// - Throws: ``EventError`` if a value is outside its bounds.
    public init(
        basis: Basis, documentID: String? = nil, documentVersion: String? = nil, documentDescription: String? = nil
    ) throws(EventError) {
        let check = ValueCheck(Self.self)
        self.basis = basis
        self.documentID = try check.text(documentID, "documentID", atMost: 255)
        self.documentVersion = try check.text(documentVersion, "documentVersion", atMost: 16)
        self.documentDescription = try check.text(documentDescription, "documentDescription", atMost: 4096)
    }

    /// The basis as an entity.
    public var entity: Entity {
        let data = JSONObject(present: [
            ("basisForProcessing", .string(basis.rawValue)),
            ("documentId", documentID.map(JSONValue.string)),
            ("documentVersion", documentVersion.map(JSONValue.string)),
            ("documentDescription", documentDescription.map(JSONValue.string)),
        ])
        return Entity(schema: "iglu:com.snowplowanalytics.snowplow/gdpr/jsonschema/1-0-0", data: data)
    }
}
