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
        let known = report.known(["meta", "config_sections"], of: try report.object(root, ""), in: "")
        var members: [JSONObject.Member] = []
        if let meta = known["meta"] {
            _ = try report.object(meta, "meta")
            members = [("meta", report.value(meta, "meta"))]
        }
        guard let sections = known["config_sections"] else {
            throw report.fault(.missingValue, "config_sections", "missing, and required", root)
        }
        return members + [("features", .object(try features(sections)))]
    }

    private mutating func features(_ node: JSONNode) throws(ConfigurationError) -> JSONObject {
        var features: [JSONObject.Member] = []
        let sections = try report.object(node, "config_sections")
        for (section, place) in report.entries(sections, in: "config_sections") {
            guard let members = report.objectIfPresent(section.value, place) else { continue }
            let settings = report.known(["settings"], of: members, in: place)["settings"]
            let variables = settings.map { self.variables($0, "\(place).settings") } ?? JSONObject()
            features.append((section.name, .object(["variables": .object(variables)])))
        }
        return JSONObject(unique: features)
    }

    private mutating func variables(_ node: JSONNode, _ place: String) -> JSONObject {
        guard let settings = report.objectIfPresent(node, place) else { return JSONObject() }
        var variables: [JSONObject.Member] = []
        for (setting, settingPlace) in report.entries(settings, in: place) {
            guard let members = report.objectIfPresent(setting.value, settingPlace) else { continue }
            guard let value = report.known(["value"], of: members, in: settingPlace)["value"] else {
                report.note(settingPlace, "a setting without a value is left out", setting.nameOffset)
                continue
            }
            variables.append((setting.name, .object(["value": report.value(value, "\(settingPlace).value")])))
            noteBoolean(value, "\(settingPlace).value")
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
