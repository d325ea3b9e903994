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
    /// The texts about a variable, with their names in a document.
    private static let texts = [
        "Title": "title", "Description": "description", "Group": "group", "GeneratedPropertyName": "generatedName",
    ]

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
        for (feature, place) in report.entries(try report.object(root, ""), in: "") {
            var variables: [JSONObject.Member] = []
            for (variable, place) in report.entries(try report.object(feature.value, place), in: place) {
                guard let definition = try definition(variable, place) else { continue }
                variables.append((variable.name, .object(definition)))
            }
            let members: JSONObject = ["enabled": true, "variables": .object(JSONObject(unique: variables))]
            features.append((feature.name, .object(members)))
        }
        // Other formats nest objects as deep; none of theirs has this key.
        guard variables == 0 || values > 0 else {
            throw report.fault(.missingValue, "", "no variable has a Value, so this is not a file of JustTweak", root)
        }
        return [("features", .object(JSONObject(unique: features)))]
    }

    /// What a document says of a variable; nil if nothing can be said.
    private mutating func definition(
        _ variable: JSONNode.Member, _ place: String
    ) throws(ConfigurationError) -> JSONObject? {
        let members = try report.object(variable.value, place)
        variables += 1
        let known = report.known(Set(Self.texts.keys).union(["Value", "Encrypted"]), of: members, in: place)
        var texts: [JSONObject.Member] = []
        for member in members {
            guard let name = Self.texts[member.name], let node = known[member.name] else { continue }
            if case .string(let text) = node.content {
                texts.append((name, .string(text)))
            } else {
                let reason = "expected a string, found \(node.kind); not carried over"
                report.note("\(place).\(member.name)", reason, node.offset)
            }
        }
        guard let value = known["Value"] else {
            report.note(place, "a variable without a Value is left out", variable.nameOffset)
            return nil
        }
        values += 1
        guard let isEncrypted = isEncrypted(known["Encrypted"], value, place) else { return nil }
        if !isEncrypted { report.noteBooleanInOtherCase(value, "\(place).Value") }
        return JSONObject(
            unique: [("value", value.value)] + texts
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
