import TrackerConfig
import TrackerCore

/// Reads the file of a client library: features with variables, or experiments.
///
/// Unsupported parts are noted and left out, and the rest is read. The import never widens an audience: an experiment
/// with an unreadable filter is left out.
struct SettingsFile {
    /// The keys of a format's features and variables.
    private struct Table {
        /// The key of all features; nil if they are the file's members.
        var features: String?
        /// The key of a feature's variables; nil if they are the feature's members.
        var variables: String?
        let value: String
        var encrypted: String?
        /// The keys of a variable's texts, with their names in a document.
        var texts: [String: String] = [:]
        /// The strings that the library reads as booleans, in lower case.
        var booleans = ["true": true, "false": false]
    }

    private static let msActiveConfig = Table(
        features: "config_sections", variables: "settings", value: "value",
        booleans: [
            "yes": true, "y": true, "1": true, "no": false, "n": false, "0": false, "true": true, "false": false,
        ])
    private static let justTweak = Table(
        value: "Value", encrypted: "Encrypted",
        texts: [
            "Title": "title", "Description": "description", "Group": "group", "GeneratedPropertyName": "generatedName",
        ])

    private let file: [UInt8]
    private let format: ImportFormat
    private var notes: [(place: String, reason: String, offset: Int)] = []
    // The values of a property list have no positions in its text.
    private var isPropertyList: Bool { format == .rolloutManager && PropertyListReader.recognizes(file) }

    init(_ file: [UInt8], _ format: ImportFormat) {
        (self.file, self.format) = (file, format)
    }

    /// The notes, in the order of the text.
    var warnings: [ConfigurationError] {
        let positions = isPropertyList ? [:] : TextPosition.positions(of: notes.map(\.offset), in: file)
        return notes.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
            .map { _, note in
                ConfigurationError(
                    .warning, place: note.place.oneLine(most: DocumentDecoder.maxPlaceLength), reason: note.reason,
                    position: positions[note.offset])
            }
    }

    /// Reads the file.
    /// - Throws: If the file does not have the expected structure.
    /// - Returns: The members of the document.
    mutating func members() throws(ConfigurationError) -> [JSONObject.Member] {
        let root: JSONNode
        if isPropertyList {
            root = try PropertyListReader.read(file)
        } else {
            // The libraries' own parsers ignore a comma after the last member or element.
            let decoder = try DocumentDecoder(file, allowsTrailingCommas: true)
            for offset in decoder.trailingCommas {
                note(
                    "", "a comma before '\(Character(UnicodeScalar(file[offset])))' is not valid JSON; it is ignored",
                    offset)
            }
            root = decoder.root
        }
        guard root.members != nil else { throw fault("expected an object, found \(root.kind)", root) }
        switch format {
        case .rolloutManager: return [("experiments", .array(try experiments(root)))]
        case .justTweak: return [("features", .object(try features(root, Self.justTweak)))]
        default:
            let meta = root.members?["meta"]
            checkMeta(meta, root)
            return (meta?.members == nil ? [] : meta.map { [("meta", $0.value)] } ?? []) + [
                ("features", .object(try features(root, Self.msActiveConfig)))
            ]
        }
    }

    private mutating func note(_ place: String, _ reason: String, _ offset: Int) {
        notes.append((place, reason, offset))
    }

    private func fault(_ reason: String, _ node: JSONNode, _ place: String = "") -> ConfigurationError {
        ConfigurationError(
            .wrongType, place: place, reason: reason,
            position: isPropertyList ? nil : TextPosition(of: node.offset, in: file))
    }

    /// The members of an object with their places, without null; unknown ones are noted.
    private mutating func entries(
        _ node: JSONNode, _ place: String, known: Set<String>? = nil
    ) -> [(name: String, node: JSONNode, place: String, offset: Int)] {
        guard let members = node.members else {
            note(place, "expected an object, found \(node.kind); it is left out", node.offset)
            return []
        }
        return members.compactMap { member in
            let place = place.isEmpty ? member.name : "\(place).\(member.name)"
            let isKnown = known?.contains(member.name) ?? true
            if !isKnown || known == nil && member.value.isNull { note(place, "not carried over", member.nameOffset) }
            return isKnown && !member.value.isNull ? (member.name, member.value, place, member.nameOffset) : nil
        }
    }

    private mutating func checkMeta(_ meta: JSONNode?, _ root: JSONNode) {
        guard let meta, meta.members != nil else {
            return note("meta", "missing, and MSActiveConfig requires it", root.offset)
        }
        let place = "meta.format_version_string"
        guard let format = meta.members?[String(place.dropFirst(5))] else {
            return note(place, "missing, and MSActiveConfig requires it", meta.offset)
        }
        let number = format.string.flatMap { Double($0) } ?? format.number
        guard number.map({ 1.0..<2 ~= $0 }) != true else { return }
        let reason = "\(format.value) is not a format that MSActiveConfig reads; the file is read as format 1"
        note(place, reason, format.offset)
    }

    private mutating func features(_ root: JSONNode, _ table: Table) throws(ConfigurationError) -> JSONObject {
        var (features, values): ([JSONObject.Member], Int) = ([], 0)
        var (top, place) = (root, "")
        if let key = table.features {
            guard let node = root.members?[key], !node.isNull else {
                throw fault("required key '\(key)' is missing", root)
            }
            guard node.members != nil else { throw fault("expected an object, found \(node.kind)", node, key) }
            _ = entries(root, "", known: [key, "meta"])
            (top, place) = (node, key)
        }
        for feature in entries(top, place) {
            var variables: [JSONObject.Member] = []
            var lists = [feature]
            if let key = table.variables { lists = entries(feature.node, feature.place, known: [key]) }
            for variable in lists.flatMap({ entries($0.node, $0.place) }) {
                guard let definition = definition(variable.node, variable.place, variable.offset, table) else {
                    continue
                }
                values += 1
                variables.append((variable.name, .object(definition)))
            }
            guard feature.node.members != nil else { continue }
            let own: [JSONObject.Member] = table.features == nil ? [("enabled", true)] : []
            features.append(
                (
                    feature.name,
                    .object(JSONObject(unique: own + [("variables", .object(JSONObject(unique: variables)))]))
                ))
        }
        // Other formats nest objects equally deep, but do not use this key.
        if table.features == nil, values == 0, !features.isEmpty || !(root.members ?? []).isEmpty {
            throw fault("no variable has a \(table.value), so this is not a file of JustTweak", root)
        }
        return JSONObject(unique: features)
    }

    private mutating func definition(_ node: JSONNode, _ place: String, _ offset: Int, _ table: Table) -> JSONObject? {
        let known = Set(table.texts.keys).union([table.value, table.encrypted].compactMap(\.self))
        guard node.members != nil else {
            _ = entries(node, place)
            return nil
        }
        var (definition, value): (JSONObject, JSONNode?) = (["value": .null], nil)
        var (isEncrypted, isReadable) = (false, true)
        for entry in entries(node, place, known: known) {
            switch (entry.name, entry.node.content) {
            case (table.value, _): value = entry.node
            case (table.encrypted, .bool(let encrypted)): isEncrypted = encrypted
            case (table.encrypted, _):
                // Reading it as false would give callers the ciphertext instead of the secret.
                note(
                    entry.place, "expected a boolean, found \(entry.node.kind); the variable is left out",
                    entry.node.offset)
                isReadable = false
            case (let name, .string(let text)):
                if let text = table.texts[name].map({ ($0, text) }) { definition[text.0] = .string(text.1) }
            default:
                note(entry.place, "expected a string, found \(entry.node.kind); not carried over", entry.node.offset)
            }
        }
        guard let value else {
            note(
                place, "a \(table.variables == nil ? "variable" : "setting") without a \(table.value) is left out",
                offset)
            return nil
        }
        if isEncrypted, value.string == nil {
            let reason = "an encrypted value is a string, not \(value.kind); the variable is left out"
            note("\(place).\(table.value)", reason, value.offset)
            return nil
        }
        definition["value"] = value.value
        if isEncrypted { definition["encrypted"] = true }
        let shown = value.string ?? (table.variables == nil ? nil : value.integer.map(String.init))
        if !isEncrypted, let shown, let bool = table.booleans[shown.lowercased()],
            value.string == nil || shown != "\(bool)"
        {
            let reason = "\(value.value) cannot be read as a Bool; write \(bool) if the setting is one"
            note("\(place).\(table.value)", reason, value.offset)
        }
        return isReadable ? definition : nil
    }

    /// The experiments sorted by id and their variants sorted by name, because a dictionary has no order.
    private mutating func experiments(_ root: JSONNode) throws(ConfigurationError) -> [JSONValue] {
        var experiments: [JSONObject] = []
        for (id, node, place, offset) in entries(root, "").sorted(by: { $0.name < $1.name }) {
            var members: [JSONObject.Member] = [("id", .string(id)), ("seed", .string(id)), ("hashVersion", 2)]
            var (variants, isReadable): ([JSONValue]?, Bool) = (nil, true)
            for part in entries(node, place, known: ["Settings", "Variants"]) {
                if part.name == "Variants" {
                    variants = self.variants(part.node, part.place)
                    isReadable = isReadable && variants != nil
                    continue
                }
                let known: Set = ["is_sticky", "supported_countries", "supported_languages"]
                for setting in entries(part.node, part.place, known: known) {
                    guard let member = self.setting(setting.node, setting.name, setting.place) else {
                        if setting.name != "is_sticky" { isReadable = false }
                        continue
                    }
                    members.append(member)
                }
            }
            if variants == nil, isReadable { note(place, "an experiment without Variants is left out", offset) }
            guard let variants, isReadable else { continue }
            experiments.append(JSONObject(unique: members + [("variants", .array(variants))]))
            guard experiments.count == 1, let name = variants.first?["name"]?.string else { continue }
            let (old, new) = ("\(id)_\(name)".excerpt, name.excerpt)
            let reason =
                "RolloutManager names this variant \(old), with the id of its experiment; its name is \(new) here"
            note("", reason, root.offset)
        }
        guard
            (root.members ?? []).isEmpty
                || (root.members ?? []).contains(where: { $0.value.members?["Variants"] != nil })
        else {
            throw fault("no experiment has Variants, so this is not a file of RolloutManager", root)
        }
        return experiments.map(JSONValue.object)
    }

    private mutating func setting(_ node: JSONNode, _ name: String, _ place: String) -> JSONObject.Member? {
        if name == "is_sticky" {
            let text = node.string?.lowercased() ?? node.integer.map(String.init) ?? ""
            let words = [
                "yes": true, "y": true, "true": true, "t": true, "1": true, "no": false, "n": false, "false": false,
                "f": false, "0": false,
            ]
            guard let isSticky = node.bool ?? words[text] else {
                note(place, "expected a boolean, found \(node.kind); not carried over", node.offset)
                return nil
            }
            if let text = node.string { note(place, "\(text.excerpt) is read as \(isSticky)", node.offset) }
            return ("sticky", .bool(isSticky))
        }
        guard let text = node.string else {
            note(place, "expected a string, found \(node.kind); the experiment is left out", node.offset)
            return nil
        }
        let key = String(name.dropFirst("supported_".count))
        let words = text.split(separator: ",").map(String.init).map(\.trimmed).filter { !$0.isEmpty }
        // An empty list includes no unit.
        if words.isEmpty {
            note(place, "no \(key), so no unit takes part; remove the key to include all units", node.offset)
        }
        return (key, .array(words.map(JSONValue.string)))
    }

    /// The variants by name; nil, with a note, if units cannot be divided by their weights.
    private mutating func variants(_ node: JSONNode, _ place: String) -> [JSONValue]? {
        var (variants, total): ([JSONValue], Double) = ([], 0)
        func leavesOut(_ place: String, _ reason: String, _ offset: Int) -> [JSONValue]? {
            notes.append((place, "\(reason); the experiment is left out", offset))
            return nil
        }
        guard let members = node.members else {
            return leavesOut(place, "expected an object, found \(node.kind)", node.offset)
        }
        for member in members.sorted(by: { $0.name < $1.name }) {
            let (place, offset) = ("\(place).\(member.name)", member.value.offset)
            let number = member.value.string.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
            if let number {
                note(place, "the string \(member.value.string?.excerpt ?? "") is read as \(number)", offset)
            }
            guard let weight = number.map(Double.init) ?? member.value.number else {
                return leavesOut(place, "expected a number, found \(member.value.kind)", offset)
            }
            guard weight >= 0, weight.isFinite else {
                return leavesOut(place, "expected 0 or more, found \(weight)", offset)
            }
            total += weight
            variants.append(["name": .string(member.name), "weight": JSONValue(shortest: weight)])
        }
        if total > 0 { return variants }
        return leavesOut(place, variants.isEmpty ? "no variants" : "all weights are zero", node.offset)
    }
}
