/// What is overridden.
package struct OverrideSet: Sendable, Equatable {
    package var enabled: [ExactText: Bool] = [:]
    package var variables: [VariableKey: VariableContent] = [:]
    /// Forced variants by the experiment's id.
    package var variants: [ExactText: String] = [:]

    /// The features and variables, as a provider says them; sorted, so that equal sets are equal files.
    var definitions: [FeatureDefinition] {
        var definitions: [ExactText: [VariableDefinition]] = [:]
        for feature in enabled.keys { definitions[feature] = [] }
        for (key, content) in variables {
            definitions[ExactText(key.feature), default: []].append(
                VariableDefinition(name: key.variable, value: content.value, isEncrypted: content.isEncrypted))
        }
        return definitions.sorted { $0.key < $1.key }.map { feature, variables in
            FeatureDefinition(
                name: feature.text, isEnabled: enabled[feature],
                variables: variables.sorted { ExactText($0.name) < ExactText($1.name) })
        }
    }
}

extension OverrideSet {
    /// Takes what a file says.
    init(_ file: FeaturesFile) {
        for feature in file.features {
            enabled[exactly: feature.name] = feature.isEnabled
            for variable in feature.variables {
                variables[VariableKey(feature.name, variable.name)] = VariableContent(
                    value: variable.value, isEncrypted: variable.isEncrypted)
            }
        }
        variants = file.variants
    }

    /// The contents of a file that says the same.
    var fileContents: [UInt8] {
        let features = definitions.map { feature -> JSONObject.Member in
            let variables = feature.variables.map { variable -> JSONObject.Member in
                var object: JSONObject = ["value": variable.value]
                if variable.isEncrypted { object["encrypted"] = true }
                return (variable.name, .object(object))
            }
            var object = JSONObject()
            if let isEnabled = feature.isEnabled { object["enabled"] = .bool(isEnabled) }
            if !variables.isEmpty { object["variables"] = .object(JSONObject(unique: variables)) }
            return (feature.name, .object(object))
        }
        var contents = JSONObject()
        if !features.isEmpty { contents["features"] = .object(JSONObject(unique: features)) }
        let forced = variants.sorted { $0.key < $1.key }.map { ($0.key.text, JSONValue.string($0.value)) }
        if !forced.isEmpty { contents["variants"] = .object(JSONObject(unique: forced)) }
        var writer = ByteWriter(capacity: 1024)
        writer.append(pretty: .object(contents))
        writer.append("\n")
        return Array(writer.text.utf8)
    }
}
