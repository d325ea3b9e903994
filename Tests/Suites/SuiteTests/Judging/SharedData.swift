import Foundation
import TrackerConfig
import TrackerFeatures

/// The suites, which lie beside the repository and are no part of it.
enum SharedData {
    private static let repository = URL(filePath: #filePath).appending(path: "../../../../..").standardized
    private static let folder = repository.appending(path: "../shared").standardized

    /// The committed counts of each suite.
    static let counts = repository.appending(path: "Tests/Suites/Counts")

    /// Whether a file or a folder is there.
    static func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).path)
    }

    /// The bytes of a file.
    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: path)))
    }

    /// The names of the files of a folder with an extension, sorted.
    static func files(_ path: String, _ suffix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: path).path)
            .filter { $0.hasSuffix(suffix) }.sorted()
    }

    /// The value of a JSON file.
    static func json(_ path: String) throws -> JSONValue { try Document.value(of: bytes(path)) }
}

extension Document {
    private static let head =
        #""$schema":"http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1","#
        + #""configurationVersion":1,"configurationBundle":[]"#

    /// Reads a JSON text with the reader of documents, as a member of a document's `meta`.
    static func value(of text: [UInt8]) throws(ConfigurationError) -> JSONValue {
        let bytes = Array("{\(head),\"meta\":{\"file\":".utf8) + text + Array("}}".utf8)
        return try Document(bytes).meta["file"] ?? .null
    }

    /// The text of the document with these features.
    static func text(of features: JSONObject) -> String { "{\(head),\"features\":\(JSONValue.object(features))}" }
}

extension JSONObject {
    /// The condition that no context meets.
    static let never: JSONObject = ["$not": [:]]
}

extension Features {
    /// The features of a document with these definitions.
    convenience init(_ definitions: JSONObject) throws(ConfigurationError) {
        let document = try Document(Array(Document.text(of: definitions).utf8))
        self.init(document.features)
    }
}
