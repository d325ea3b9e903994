import Testing
import TrackerConfig
import TrackerFeatures

/// Documents with experiments, short to write in a test.
enum ExperimentText {
    /// A document whose experiments stand in its second line.
    static func document(_ experiments: String) throws -> Document {
        try Document(Array(DocumentText.document(1, more: ",\n\"experiments\":\(experiments)").utf8))
    }

    /// A document with one experiment, which has these members beside an id and two variants.
    static func one(_ members: String) throws -> (experiment: Experiment, warnings: [ConfigurationError]) {
        let document = try document(
            #"[{"id":"x","variants":[{"name":"a"},{"name":"b"}]\#(members.isEmpty ? "" : ",")\#(members)}]"#)
        return (try #require(document.experiments.first), document.warnings)
    }

    /// A document with one experiment that has these variants.
    static func variants(_ variants: String) throws -> Document {
        try document(#"[{"id":"x","variants":\#(variants)}]"#)
    }

    /// The error that a document with these experiments gives.
    static func fault(_ experiments: String) throws -> ConfigurationError {
        try #require(throws: ConfigurationError.self) { try document(experiments) }
    }
}
