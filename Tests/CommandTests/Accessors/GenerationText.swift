import DocumentTools
import TrackerAccessors
import TrackerFeatures

/// What the plugin generates, short to write in a test.
struct GenerationText {
    let text: String?
    let errors: [ConfigurationError]
    let warnings: [ConfigurationError]

    /// What is generated of a document with the features of a JSON text.
    static func generation(_ features: String) throws -> GenerationText {
        let document = Array(
            """
            {"$schema":"iglu:com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion":1,"configurationBundle":[],"features":\(features)}
            """.utf8)
        let file = try FeaturesFile(document)
        let accessors = AccessorFile(file.features, of: document)
        return GenerationText(
            text: accessors.text(name: "Accessors", source: "a.json"), errors: accessors.faults, warnings: file.warnings
        )
    }

    /// The declaration of the one variable of that value, and what it is set to.
    static func property(_ value: String) throws -> (type: String, literal: String) {
        let text = try generation(#"{"f":{"variables":{"v":{"value":\#(value)}}}}"#).text ?? ""
        let type = text.split(separator: "public var v: ").last?.prefix { !$0.isNewline } ?? ""
        let literal = text.split(separator: "default: ").last?.split(separator: ")\n        }\n").first ?? ""
        return (String(type), String(literal))
    }
}
