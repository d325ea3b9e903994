import DocumentTools
import Foundation
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// Findings in the Static Analysis Results Interchange Format, version 2.1.0.
struct SARIFLog {
    private static let schema =
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

    private let validations: [Validation]
    private let failures: [String]

    /// Collects the findings of files.
    /// - Parameters:
    ///   - validations: The files that were read.
    ///   - failures: Why others could not be read, a sentence each.
    init(_ validations: [Validation], failures: [String]) {
        (self.validations, self.failures) = (validations, failures)
    }

    var json: JSONObject {
        let results = validations.flatMap { validation in
            validation.errors.map { Self.result($0, "error", validation.file) }
                + validation.warnings.map { Self.result($0, "warning", validation.file) }
        }
        let notifications = failures.map { failure -> JSONValue in
            ["level": "error", "message": ["text": .string(failure)]]
        }
        let invocation: JSONValue = [
            "executionSuccessful": .bool(failures.isEmpty), "toolExecutionNotifications": .array(notifications),
        ]
        let driver: JSONValue = [
            "name": "tracker-config", "version": .string(CommandLineTool.version), "rules": .array(Self.rules),
        ]
        let run: JSONValue = [
            "tool": ["driver": driver], "columnKind": "unicodeCodePoints", "invocations": [invocation],
            "results": .array(results),
        ]
        return ["$schema": .string(Self.schema), "version": "2.1.0", "runs": [run]]
    }

    private static let rules: [JSONValue] = [
        rule("decoder", "What the SDK's reader of documents says"), rule("schema", "What the JSON Schema says"),
        rule("service", "What a service does with a setting"),
        rule("generator", "What prevents generated accessors"),
        rule("accessors", "What code with generated accessors cannot read"),
    ]

    private static func rule(_ id: String, _ text: String) -> JSONValue {
        ["id": .string(id), "shortDescription": ["text": .string(text)]]
    }

    private static func result(_ finding: Finding, _ level: String, _ file: String) -> JSONValue {
        var location: JSONObject = ["artifactLocation": ["uri": .string(uri(file))]]
        if let position = finding.position {
            location["region"] = ["startLine": .int(position.line), "startColumn": .int(position.column)]
        }
        return [
            "ruleId": .string(finding.judge.rawValue), "level": .string(level),
            "message": ["text": .string(finding.sentence)],
            "locations": [["physicalLocation": .object(location)]],
        ]
    }

    /// The file as a reference: a relative path stays relative.
    private static func uri(_ file: String) -> String {
        if file.hasPrefix("/") { return URL(fileURLWithPath: file).absoluteString }
        var allowed = CharacterSet.urlPathAllowed
        // A first segment with a colon would look like a scheme.
        allowed.remove(":")
        return file.addingPercentEncoding(withAllowedCharacters: allowed) ?? file
    }
}
