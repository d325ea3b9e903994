import DocumentImport
import DocumentTools
import TrackerAccessors
import TrackerConfig
import TrackerCore

/// The result of generating accessors from a document or from an older system's file.
struct Generation {
    /// The Swift text; nil if there are errors.
    let text: String?

    /// What is wrong, in the order of the file.
    let errors: [Finding]

    /// The warnings about the features, and what could not be imported from an older system's file.
    let warnings: [Finding]

    /// Generates accessors.
    /// - Parameters:
    ///   - file: The file's bytes.
    ///   - fileName: The file's name without its folders.
    ///   - format: The format of an older system's file; nil for a document.
    ///   - name: The name of the struct, an identifier.
    init(_ file: [UInt8], named fileName: String, format: ImportFormat?, name: String) {
        let features: [FeatureDefinition]
        do throws(ConfigurationError) {
            if let format {
                let imported = try ImportedDocument(file, from: format)
                features = imported.document.features
                warnings = imported.warnings.map { Finding($0, by: .importer) }
            } else {
                let document = try Document(default: file)
                features = document.features
                // Warnings about trackers are for the service that uses the document.
                warnings = document.warnings.filter { $0.place.hasPrefix("features.") }.map {
                    Finding($0, by: .decoder)
                }
            }
        } catch {
            let judge: Finding.Judge = format == nil ? .decoder : .importer
            text = nil
            errors = [Finding(place: error.place, reason: error.reason, position: error.position, judge: judge)]
            warnings = []
            return
        }
        let accessors = AccessorFile(features, of: file)
        errors = accessors.faults.map { Finding($0, by: .generator) }
        text = accessors.text(name: name, source: fileName)
    }
}
