extension DocumentDecoder {
    mutating func features(
        _ node: JSONNode, _ scope: DocumentScope
    ) throws(ConfigurationError) -> [FeatureDefinition] {
        var features: [FeatureDefinition] = []
        for member in try object(node, "features") where !member.isNull {
            let name = member.name
            if name.isBlank { warn("features", "a feature's name is empty", member.nameOffset) }
            do throws(ConfigurationError) {
                if let feature = try feature(name, member.value, Self.place(ofFeature: name), scope) {
                    features.append(feature)
                }
            } catch { try note(error) }
        }
        return features
    }

    /// The place of a feature, with which all places within it begin. A name can be as long as the document, and the
    /// whole place is truncated at the same length.
    package static func place(ofFeature name: String) -> String {
        "features.\(name.utf8.count < maxPlaceLength ? name : name.oneLine(most: maxPlaceLength))"
    }

    private mutating func feature(
        _ name: String, _ node: JSONNode, _ place: @autoclosure Place, _ scope: DocumentScope
    ) throws(ConfigurationError) -> FeatureDefinition? {
        var feature = FeatureDefinition(name: name)
        var hasTimes = false
        for member in try object(node, place()) where !member.isNull {
            var memberPlace: String { "\(place()).\(member.name)" }
            do throws(ConfigurationError) {
                switch member.name {
                case "enabled": feature.isEnabled = try boolean(member.value, memberPlace)
                case "variables": feature.variables = try variables(member.value, memberPlace)
                case "rules": feature.rules = try rules(member.value, of: name, memberPlace, scope)
                case "start", "end":
                    // The author does not want the feature at all times.
                    let reason = "only rules and experiments have times; the feature is left out"
                    warn(memberPlace, reason, member.nameOffset)
                    hasTimes = true
                case "disabled": feature.isDisabled = try boolean(member.value, memberPlace)
                case "metadata": feature.metadata = metadata(member.value, memberPlace)
                default: warn(memberPlace, Self.unknownKey, member.nameOffset)
                }
            } catch { try note(error) }
        }
        return hasTimes ? nil : feature
    }

    /// Reads the metadata of a feature. No value depends on it, so unusable parts are left out with a warning.
    private mutating func metadata(_ node: JSONNode, _ place: @autoclosure Place) -> JSONObject {
        guard let members = node.members else {
            warn(place(), "expected an object, found \(node.kind); it is left out", node.offset)
            return JSONObject()
        }
        var metadata: [JSONObject.Member] = []
        for member in members where !member.isNull {
            var memberPlace: String { "\(place()).\(member.name)" }
            do throws(ConfigurationError) {
                switch member.value.content {
                case .array, .object:
                    throw wrongType(memberPlace, "a string, a number or a boolean", member.value)
                default: metadata.append((member.name, member.value.value))
                }
            } catch {
                warn(error.place, "\(error.reason); it is left out", member.value.offset)
            }
        }
        return JSONObject(unique: metadata)
    }

    private mutating func variables(
        _ node: JSONNode, _ place: @autoclosure Place
    ) throws(ConfigurationError) -> [VariableDefinition] {
        var variables: [VariableDefinition] = []
        for member in try object(node, place()) where !member.isNull {
            do throws(ConfigurationError) {
                variables.append(try variable(member.name, member.value, "\(place()).\(member.name)"))
            } catch { try note(error) }
        }
        return variables
    }

    private mutating func variable(
        _ name: String, _ node: JSONNode, _ place: @autoclosure Place
    ) throws(ConfigurationError) -> VariableDefinition {
        var value: JSONNode?
        var title: String?
        var description: String?
        var group: String?
        var isEncrypted = false
        var generatedName: String?
        for member in try object(node, place()) where !member.isNull {
            var memberPlace: String { "\(place()).\(member.name)" }
            switch member.name {
            case "value": value = member.value
            case "title": title = try text(member.value, memberPlace)
            case "description": description = try text(member.value, memberPlace)
            case "group": group = try text(member.value, memberPlace)
            case "encrypted": isEncrypted = try boolean(member.value, memberPlace)
            case "generatedName": generatedName = try text(member.value, memberPlace)
            default: warn(memberPlace, Self.unknownKey, member.nameOffset)
            }
        }
        guard let value else { throw missing("value", node, place()) }
        // A ciphertext is a text; any other value was meant to be unencrypted.
        if isEncrypted { _ = try text(value, "\(place()).value") }
        return VariableDefinition(
            name: name, value: value.value, title: title, description: description,
            group: group, isEncrypted: isEncrypted, generatedName: generatedName)
    }
}
