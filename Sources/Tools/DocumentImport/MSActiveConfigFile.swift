import TrackerConfig

/// Reads MSActiveConfig's exchange format.
///
/// ```json
/// { "meta": { "owner": "growth" },
///   "config_sections": { "checkout": { "settings": { "retryLimit": { "value": 3 } } } } }
/// ```
///
/// A section becomes a feature that leaves open whether it is enabled, a setting a variable. As in MSActiveConfig, a section
/// or a setting that is no object is left out.
struct MSActiveConfigFile {
    private(set) var report: ImportReport

    /// Reads a file.
    /// - Throws: Where it has another shape.
    /// - Returns: The members of the document.
    mutating func members(_ root: JSONNode) throws(ConfigurationError) -> [JSONObject.Member] {
        var meta: JSONValue?
        var features: JSONObject?
        for member in try report.object(root, "") where !member.value.isNull {
            switch member.name {
            case "meta":
                _ = try report.object(member.value, "meta")
                meta = report.value(member.value, "meta")
            case "config_sections": features = try self.features(member.value)
            default: report.unknown(member, in: "")
            }
        }
        guard let features else { throw report.fault(.missingValue, "config_sections", "missing, and required", root) }
        return (meta.map { [("meta", $0)] } ?? []) + [("features", .object(features))]
    }

    private mutating func features(_ node: JSONNode) throws(ConfigurationError) -> JSONObject {
        var features: [JSONObject.Member] = []
        for section in try report.object(node, "config_sections") {
            guard !section.value.isNull else {
                report.unknown(section, in: "config_sections")
                continue
            }
            let place = "config_sections.\(section.name)"
            var variables = JSONObject()
            guard let members = report.objectIfPresent(section.value, place) else { continue }
            for member in members where !member.value.isNull {
                switch member.name {
                case "settings": variables = self.variables(member.value, "\(place).settings")
                default: report.unknown(member, in: place)
                }
            }
            features.append((section.name, .object(["variables": .object(variables)])))
        }
        return JSONObject(unique: features)
    }

    private mutating func variables(_ node: JSONNode, _ place: String) -> JSONObject {
        var variables: [JSONObject.Member] = []
        for setting in report.objectIfPresent(node, place) ?? [] {
            let settingPlace = "\(place).\(setting.name)"
            guard !setting.value.isNull else {
                report.unknown(setting, in: place)
                continue
            }
            guard let members = report.objectIfPresent(setting.value, settingPlace) else { continue }
            var value: JSONValue?
            for member in members {
                switch member.name {
                case "value" where member.value.isNull: break
                case "value":
                    value = report.value(member.value, "\(settingPlace).value")
                    noteBoolean(member.value, "\(settingPlace).value")
                default: report.unknown(member, in: settingPlace)
                }
            }
            if let value {
                variables.append((setting.name, .object(["value": value])))
            } else {
                report.note(settingPlace, "a setting without a value is left out", setting.nameOffset)
            }
        }
        return JSONObject(unique: variables)
    }

    /// Notes a value that `boolForKey:` reads as a boolean and this SDK does not.
    private mutating func noteBoolean(_ node: JSONNode, _ place: String) {
        let value: Bool
        switch node.content {
        case .integer(0), .integer(1): value = node.integer == 1
        case .string(let text):
            switch text.lowercased() {
            case "yes", "y", "1": value = true
            case "true" where text != "true": value = true
            case "no", "n", "0": value = false
            case "false" where text != "false": value = false
            default: return
            }
        default: return
        }
        let shown = node.approximateValue
        report.note(place, "\(shown) cannot be read as a Bool; write \(value) if the setting is one", node.offset)
    }
}
