import TrackerConfig
import TrackerCore

/// Accessors made of a file's bytes, or why there are none.
struct Generation {
    /// The Swift text; nil where there are errors.
    let text: String?

    /// What is wrong, in the order of the file.
    let errors: [Finding]

    /// What is odd about the features, or could not be carried over from an older system's file.
    let warnings: [Finding]

    /// Makes accessors.
    /// - Parameters:
    ///   - file: The file's bytes.
    ///   - source: What the file is.
    ///   - name: The name of the struct, an identifier.
    init(_ file: [UInt8], from source: AccessorSource, name: String) {
        let features: [FeatureDefinition]
        do throws(ConfigurationError) {
            if let format = source.format {
                let imported = try ImportedDocument(file, from: format)
                features = imported.document.features
                warnings = imported.warnings.map { Finding($0, by: .importer) }
            } else {
                let document = try Document(file, purpose: .default)
                features = document.features
                // The trackers are the business of whoever uses the document.
                warnings = document.warnings.filter { $0.place.hasPrefix("features.") }.map {
                    Finding($0, by: .decoder)
                }
            }
        } catch {
            let judge: Finding.Judge = source.format == nil ? .decoder : .importer
            text = nil
            errors = [Finding(place: error.place, reason: error.reason, position: error.position, judge: judge)]
            warnings = []
            return
        }
        let list = AccessorList(features, from: source)
        errors = list.faults.map { fault in
            Finding(
                place: fault.path.joined(separator: "."), reason: fault.reason,
                position: source.position(fault.path, in: file), judge: .generator)
        }
        text = errors.isEmpty ? AccessorsText(list, name: name, source: source.name).text : nil
    }
}
