import DocumentImport
import TrackerConfig

@testable import DocumentTools
@testable import TrackerAccessors
@testable import tracker_config

/// Generations, short to write in a test.
enum GenerationText {
    /// A document with the features of a JSON text.
    static func document(_ features: String) -> String {
        """
        {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
        "configurationVersion":1,"configurationBundle":[],"features":\(features)}
        """
    }

    /// What is generated of a document with the features of a JSON text.
    static func generation(_ features: String) -> Generation {
        Generation(
            Array(document(features).utf8), named: "a.json", format: nil, name: "Accessors")
    }

    /// What is generated of an older system's file.
    static func generation(_ file: String, from format: ImportFormat) -> Generation {
        Generation(Array(file.utf8), named: "a.json", format: format, name: "Accessors")
    }

    /// The declaration of the one variable of that value, and what it is set to.
    static func property(_ value: String) throws -> (type: String, literal: String) {
        let text = generation(#"{"f":{"variables":{"v":{"value":\#(value)}}}}"#).text ?? ""
        let type = text.split(separator: "public var v: ").last?.prefix { !$0.isNewline } ?? ""
        let literal = text.split(separator: "default: ").last?.split(separator: ")\n        }\n").first ?? ""
        return (String(type), String(literal))
    }
}
