import TrackerConfig

/// Reads MSActiveConfig's exchange format.
///
/// ```json
/// { "meta": { "owner": "growth" },
///   "config_sections": { "checkout": { "settings": { "retryLimit": { "value": 3 } } } } }
/// ```
///
/// A section becomes a feature that leaves open whether it is enabled, a setting a variable. As in MSActiveConfig, a section
/// or a setting that is not an object is left out.
struct MSActiveConfigFile {
    /// The formats that MSActiveConfig reads.
    private static let formats = 1.0..<2

    private(set) var report: ImportReport

    /// Reads a file.
    /// - Throws: Where it has another shape.
    /// - Returns: The members of the document.
    mutating func members(_ root: JSONNode) throws(ConfigurationError) -> [JSONObject.Member] {
        let known = report.known(["meta", "config_sections"], of: try report.object(root, ""), in: "")
        var members: [JSONObject.Member] = []
        if let meta = known["meta"] {
            noteFormat(try report.object(meta, "meta"), meta)
            members = [("meta", meta.value)]
        } else {
            report.note("meta", "missing, and MSActiveConfig requires it", root.offset)
        }
        guard let sections = known["config_sections"] else {
            throw report.fault(.missingValue, "", "required key 'config_sections' is missing", root)
        }
        return members + [("features", .object(try features(sections)))]
    }

    /// Notes a version of the format with which MSActiveConfig refuses the file.
    private mutating func noteFormat(_ meta: [JSONNode.Member], _ node: JSONNode) {
        let place = "meta.format_version_string"
        guard let format = meta.first(where: { $0.name == "format_version_string" })?.value else {
            return report.note(place, "missing, and MSActiveConfig requires it", node.offset)
        }
        let number: Double? =
            switch format.content {
            case .string(let text): Double(text)
            default: format.value.double
            }
        guard number.map(Self.formats.contains) != true else { return }
        report.note(
            place, "\(format.value) is not a format that MSActiveConfig reads; the file is read as format 1",
            format.offset)
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
            variables.append((setting.name, .object(["value": value.value])))
            noteBoolean(value, "\(settingPlace).value")
        }
        return JSONObject(unique: variables)
    }

    /// Notes a value that `boolForKey:` reads as a boolean and this SDK does not.
    private mutating func noteBoolean(_ node: JSONNode, _ place: String) {
        switch node.content {
        case .integer(0), .integer(1): report.noteBoolean(node.integer == 1, node, place)
        case .string(let text):
            switch text.lowercased() {
            case "yes", "y", "1": report.noteBoolean(true, node, place)
            case "no", "n", "0": report.noteBoolean(false, node, place)
            default: report.noteBooleanInOtherCase(node, place)
            }
        default: break
        }
    }
}
