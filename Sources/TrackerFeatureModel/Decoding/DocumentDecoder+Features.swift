extension DocumentDecoder {
    mutating func features(_ node: JSONNode, _ scope: DocumentScope) throws(ConfigurationError) -> [FeatureDefinition] {
        var features: [FeatureDefinition] = []
        for member in try object(node) where !member.isNull {
            let name = member.name
            if name.isBlank { warn("a feature's name is empty", member.nameOffset, in: "features") }
            do throws(ConfigurationError) {
                if let feature = try feature(name, member.value, scope) {
                    features.append(feature)
                }
            } catch { try note(error) }
        }
        return features
    }

    private mutating func feature(
        _ name: String, _ node: JSONNode, _ scope: DocumentScope
    ) throws(ConfigurationError) -> FeatureDefinition? {
        var feature = FeatureDefinition(name: name)
        var hasTimes = false
        for member in try object(node) where !member.isNull {
            do throws(ConfigurationError) {
                switch member.name {
                case "enabled": feature.isEnabled = try boolean(member.value)
                case "variables": feature.variables = try variables(member.value)
                case "rules": feature.rules = try rules(member.value, of: name, scope)
                case "start", "end":
                    // The author does not want the feature at all times.
                    let reason = "only rules and experiments have times; the feature is left out"
                    warn(reason, member.nameOffset)
                    hasTimes = true
                case "disabled": feature.isDisabled = try boolean(member.value)
                case "metadata": feature.metadata = metadata(member.value)
                default: warn(Self.unknownKey, member.nameOffset)
                }
            } catch { try note(error) }
        }
        return hasTimes ? nil : feature
    }

    /// Reads the metadata of a feature. No value depends on it, so unusable parts are left out with a warning.
    private mutating func metadata(_ node: JSONNode) -> JSONObject {
        guard let members = node.members else {
            warn("expected an object, found \(node.kind); it is left out", node.offset)
            return JSONObject()
        }
        var metadata: [JSONObject.Member] = []
        for member in members where !member.isNull {
            switch member.value.content {
            case .array, .object:
                let reason = "expected a string, a number or a boolean, found \(member.value.kind); it is left out"
                warn(reason, member.value.offset)
            default: metadata.append((member.name, member.value.value))
            }
        }
        return JSONObject(unique: metadata)
    }

    private mutating func variables(_ node: JSONNode) throws(ConfigurationError) -> [VariableDefinition] {
        var variables: [VariableDefinition] = []
        for member in try object(node) where !member.isNull {
            do throws(ConfigurationError) {
                variables.append(try variable(member.name, member.value))
            } catch { try note(error) }
        }
        return variables
    }

    private mutating func variable(_ name: String, _ node: JSONNode) throws(ConfigurationError) -> VariableDefinition {
        var value: JSONNode?
        var title: String?
        var description: String?
        var group: String?
        var isEncrypted = false
        var generatedName: String?
        for member in try object(node) where !member.isNull {
            switch member.name {
            case "value": value = member.value
            case "title": title = try text(member.value)
            case "description": description = try text(member.value)
            case "group": group = try text(member.value)
            case "encrypted": isEncrypted = try boolean(member.value)
            case "generatedName": generatedName = try text(member.value)
            default: warn(Self.unknownKey, member.nameOffset)
            }
        }
        guard let value else { throw missing("value", node) }
        // A ciphertext is a text; any other value was meant to be unencrypted.
        if isEncrypted { _ = try text(value) }
        return VariableDefinition(
            name: name, value: value.value, title: title, description: description,
            group: group, isEncrypted: isEncrypted, generatedName: generatedName)
    }
}
