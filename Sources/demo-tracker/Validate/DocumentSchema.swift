import TrackerConfig
import TrackerCore

/// The project's JSON Schema of the configuration document, which the executable carries within it.
enum DocumentSchema {
    /// The schema.
    /// - Throws: Where the schema uses what the checker does not know.
    static func schema() throws -> JSONSchema {
        try JSONSchema(try JSONReader.read(PackageResources.document_json))
    }

    /// What a document does not keep.
    static func faults(of document: JSONNode, purpose: Document.Purpose) throws -> [JSONSchema.Fault] {
        try schema().faults(of: document).filter { fault in
            // A default may leave its endpoint to the document; the schema is of documents.
            !(purpose == .default && fault.isAbsence && fault.place.hasSuffix(".networkConfiguration.endpoint"))
        }
    }
}
