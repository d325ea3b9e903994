import FoundationEssentials

extension OverrideSet {
    /// Takes what a file says.
    /// - Parameters:
    ///   - file: The file.
    ///   - text: The file's bytes.
    ///   - warnings: Takes the faults of the details: what is said of an override is left out, and the override stays.
    init(_ file: FeaturesFile, _ text: [UInt8], _ warnings: inout [ConfigurationError]) {
        for feature in file.features {
            enabled[exactly: feature.name] = feature.isEnabled
            for variable in feature.variables {
                variables[VariableKey(feature.name, variable.name)] = VariableContent(
                    value: variable.value, isEncrypted: variable.isEncrypted)
            }
        }
        variants = file.variants
        guard let details = file.details else { return }
        let decoder = DocumentDecoder(text: text)
        guard case .array(let elements) = details.content else {
            warnings.append(ConfigurationError(leftOut: decoder.wrongType("details", "a list", details)))
            return
        }
        for (index, element) in elements.enumerated() {
            do throws(ConfigurationError) {
                let (target, record) = try decoder.details(element, "details[\(index)]")
                // An SDK without details, or a person, may have removed the override and left its details.
                if let target, value(of: target) != nil { records[target] = record }
            } catch {
                warnings.append(ConfigurationError(leftOut: error))
            }
        }
    }

    /// The contents of a file that says the same.
    ///
    /// The details are a member of their own, because an SDK that does not know it ignores it without a warning.
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
        let details = records.sorted { $0.key < $1.key }.map { JSONValue.object($0.value.fileContents(of: $0.key)) }
        if !details.isEmpty { contents["details"] = .array(details) }
        var writer = ByteWriter(capacity: 1024)
        writer.append(pretty: .object(contents))
        writer.append("\n")
        return Array(writer.text.utf8)
    }
}

extension ConfigurationError {
    fileprivate init(leftOut error: ConfigurationError) {
        self.init(.warning, place: error.place, reason: "\(error.reason); left out", position: error.position)
    }
}

extension OverrideRecord {
    fileprivate func fileContents(of target: OverrideTarget) -> JSONObject {
        let members = [
            ("feature", target.feature), ("variable", target.variable), ("experiment", target.experiment),
            ("time", time?.iso8601), ("by", details.by), ("note", details.note), ("expiry", details.expiry?.iso8601),
        ]
        var object = JSONObject(present: members.map { ($0.0, $0.1.map(JSONValue.string)) })
        if isSecret { object["secret"] = true }
        return object
    }
}

extension DocumentDecoder {
    /// Reads what is kept about one override.
    /// - Returns: The override, and what is kept; no override if it is of a kind that only later SDKs know.
    fileprivate func details(
        _ node: JSONNode, _ place: String
    ) throws(ConfigurationError) -> (target: OverrideTarget?, record: OverrideRecord) {
        var (feature, variable, experiment) = (String?.none, String?.none, String?.none)
        var time: Date?
        var details = OverrideDetails()
        var isSecret = false
        for member in try object(node, place) where !member.isNull {
            let memberPlace = "\(place).\(member.name)"
            switch member.name {
            case "feature": feature = try text(member.value, memberPlace)
            case "variable": variable = try text(member.value, memberPlace)
            case "experiment": experiment = try text(member.value, memberPlace)
            case "time": time = try date(member.value, memberPlace)
            case "by": details.by = try text(member.value, memberPlace)
            case "note": details.note = try text(member.value, memberPlace)
            case "expiry": details.expiry = try date(member.value, memberPlace)
            case "secret": isSecret = try boolean(member.value, memberPlace)
            default: break
            }
        }
        let target: OverrideTarget? =
            switch (feature, variable, experiment) {
            case (let feature?, let variable?, nil): .variable(VariableKey(feature, variable))
            case (let feature?, nil, nil): .enabled(ExactText(feature))
            case (nil, nil, let experiment?): .variant(ExactText(experiment))
            default: nil
            }
        return (target, OverrideRecord(time: time, details: details, isSecret: isSecret))
    }

    private func date(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> Date {
        let text = try text(node, place)
        if let instant = Instant(text) { return Date(milliseconds: instant.milliseconds) }
        throw fault(.wrongType, place, "expected a date as 2026-01-31T12:00:00Z, found \(text.excerpt)", node)
    }
}
