import DocumentImport
import TrackerConfig
import TrackerCore

/// An import as tests look at it.
struct Imported {
    let document: Document
    let text: String

    /// The warnings without their positions.
    let notes: [String]

    /// The warnings with their positions.
    let sentences: [String]

    init(_ file: String, from format: ImportFormat) throws {
        try self.init(Array(file.utf8), from: format)
    }

    init(_ file: [UInt8], from format: ImportFormat) throws {
        let imported = try ImportedDocument(file, from: format)
        // What the importer made is read again as a service would read it.
        document = try Document(imported.text)
        text = String(decoding: imported.text, as: UTF8.self)
        notes = imported.warnings.map { "\($0.place): \($0.reason)" }
        sentences = imported.warnings.map(\.description)
    }
}
