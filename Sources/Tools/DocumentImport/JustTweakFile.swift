import TrackerConfig

/// Reads JustTweak's LocalTweaks.
///
/// ```json
/// { "checkout": { "retryLimit": { "Title": "Retries", "Group": "Checkout", "Value": 3 } } }
/// ```
///
/// A feature stays a feature and is enabled, as JustTweak's LocalTweakProvider has it for each feature in its file; a variable
/// stays a variable.
struct JustTweakFile {
    private static let newNames = ["GeneratedPropertyName": "generatedName"]

    private(set) var report: ImportReport
    private var variables = 0
    private var values = 0

    init(report: ImportReport) {
        self.report = report
    }

    /// Reads a file.
    /// - Throws: Where it has another shape.
    /// - Returns: The members of the document.
    mutating func members(_ root: JSONNode) throws(ConfigurationError) -> [JSONObject.Member] {
        var features: [JSONObject.Member] = []
        for feature in try report.object(root, "") {
            guard !feature.value.isNull else {
                report.unknown(feature, in: "")
                continue
            }
            var variables: [JSONObject.Member] = []
            for variable in try report.object(feature.value, feature.name) {
                let place = "\(feature.name).\(variable.name)"
                if variable.value.isNull {
                    report.unknown(variable, in: feature.name)
                } else if let definition = try definition(variable, place) {
                    variables.append((variable.name, .object(definition)))
                }
            }
            let members: JSONObject = ["enabled": true, "variables": .object(JSONObject(unique: variables))]
            features.append((feature.name, .object(members)))
        }
        // Other formats nest objects as deep; none of theirs has this key.
        guard variables == 0 || values > 0 else {
            throw report.fault(.missingValue, "", "no variable has a Value, so this is no file of JustTweak's", root)
        }
        return [("features", .object(JSONObject(unique: features)))]
    }

    /// What a document says of a variable; nil if nothing can be said.
    private mutating func definition(
        _ variable: JSONNode.Member, _ place: String
    ) throws(ConfigurationError) -> JSONObject? {
        let members = try report.object(variable.value, place)
        variables += 1
        var texts: [JSONObject.Member] = []
        var value: JSONNode?
        var encrypted: JSONNode?
        for member in members where !member.value.isNull {
            switch member.name {
            case "Value": value = member.value
            case "Encrypted": encrypted = member.value
            case "Title", "Description", "Group", "GeneratedPropertyName":
                if case .string(let text) = member.value.content {
                    texts.append((Self.newNames[member.name] ?? member.name.lowercased(), .string(text)))
                } else {
                    let reason = "expected a string, found \(member.value.kind); not carried over"
                    report.note("\(place).\(member.name)", reason, member.value.offset)
                }
            default: report.unknown(member, in: place)
            }
        }
        guard let value else {
            report.note(place, "a variable without a Value is left out", variable.nameOffset)
            return nil
        }
        values += 1
        guard let isEncrypted = isEncrypted(encrypted, value, place) else { return nil }
        return JSONObject(
            unique: [("value", report.value(value, "\(place).Value"))] + texts
                + (isEncrypted ? [("encrypted", true)] : []))
    }

    /// Whether a value is a ciphertext; nil, and a note, where it is none that a document can have.
    private mutating func isEncrypted(_ node: JSONNode?, _ value: JSONNode, _ place: String) -> Bool? {
        guard let node else { return false }
        guard case .bool(let isEncrypted) = node.content else {
            // Read as "no", it would give a ciphertext to those who want the secret.
            let reason = "expected a boolean, found \(node.kind); the variable is left out"
            report.note("\(place).Encrypted", reason, node.offset)
            return nil
        }
        guard isEncrypted else { return false }
        guard case .string = value.content else {
            let reason = "an encrypted value is a string, not \(value.kind); the variable is left out"
            report.note("\(place).Value", reason, value.offset)
            return nil
        }
        return true
    }
}
