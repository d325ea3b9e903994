package import TrackerConfig

/// The project's JSON Schema of the configuration document, which the executable carries within it.
package enum DocumentSchema {
    /// The schema.
    /// - Throws: An error if the schema uses what the checker does not know.
    package static func schema() throws -> JSONSchema {
        try JSONSchema(try JSONReader.read(PackageResources.document_json))
    }

    /// What a document does not keep.
    package static func faults(of document: JSONNode, purpose: Document.Purpose) throws -> [JSONSchema.Fault] {
        let faults = try schema().faults(of: document)
        // The schema is of documents: a default may leave its endpoint to them, and its rollout is not read.
        guard purpose == .default else { return faults }
        return faults.filter { fault in
            !(fault.isAbsence && fault.place.hasSuffix(".networkConfiguration.endpoint"))
                && fault.place.prefix { $0 != "." } != "rollout"
        }
    }
}
