import TrackerConfig

/// Reads RolloutManager's dictionary of experiments.
///
/// ```json
/// { "checkout_01": { "Settings": { "is_sticky": true, "supported_countries": "US, IL", "supported_languages": "en" },
///                    "Variants": { "control": 70, "fast": 30 } } }
/// ```
///
/// A dictionary has no order, so experiments stand by their ids and variants by their names. What cannot be carried over
/// never widens an audience: an experiment whose filter cannot be read is left out.
struct RolloutManagerFile {
    private(set) var report: ImportReport

    /// Reads a file.
    /// - Throws: Where it has another shape.
    /// - Returns: The members of the document.
    mutating func members(_ root: JSONNode) throws(ConfigurationError) -> [JSONObject.Member] {
        var experiments: [JSONValue] = []
        var isFormat = false
        let members = try report.object(root, "")
        for (member, place) in report.entries(members.sorted { $0.name < $1.name }, in: "") {
            let parts = try report.object(member.value, place)
            isFormat = isFormat || parts.contains { $0.name == "Variants" }
            guard let experiment = try experiment(member, parts) else { continue }
            if experiments.isEmpty { noteNames(of: experiment, in: root) }
            experiments.append(.object(experiment))
        }
        guard members.isEmpty || isFormat else {
            throw report.fault(
                .missingValue, "", "no experiment has Variants, so this is not a file of RolloutManager", root)
        }
        return [("experiments", .array(experiments))]
    }

    /// Notes, once, that the names of variants are no longer what code compares.
    private mutating func noteNames(of experiment: JSONObject, in root: JSONNode) {
        guard let id = experiment["id"]?.string, let name = experiment["variants"]?.array?.first?["name"]?.string else {
            return
        }
        let (old, new) = ("\(id)_\(name)".excerpt, name.excerpt)
        let reason = "RolloutManager names this variant \(old), with the id of its experiment; its name is \(new) here"
        report.note("", reason, root.offset)
    }

    private mutating func experiment(
        _ member: JSONNode.Member, _ parts: [JSONNode.Member]
    ) throws(ConfigurationError) -> JSONObject? {
        let id = member.name
        let known = report.known(["Settings", "Variants"], of: parts, in: id)
        let settings = try known["Settings"].map { (node) throws(ConfigurationError) in
            try self.settings(node, "\(id).Settings")
        }
        guard let variants = known["Variants"] else {
            report.note(id, "an experiment without Variants is left out", member.nameOffset)
            return nil
        }
        guard let variants = try self.variants(variants, "\(id).Variants"), let settings = settings ?? [] else {
            return nil
        }
        return JSONObject(
            unique: [("id", .string(id)), ("seed", .string(id)), ("hashVersion", 2)] + settings
                + [("variants", .array(variants))])
    }

    /// An experiment's settings, in a document's words; nil, and a note, where a filter cannot be read.
    private mutating func settings(
        _ node: JSONNode, _ place: String
    ) throws(ConfigurationError) -> [JSONObject.Member]? {
        let filters = ["countries", "languages"]
        let names = ["is_sticky"] + filters.map { "supported_\($0)" }
        let known = report.known(Set(names), of: try report.object(node, place), in: place)
        var members: [JSONObject.Member] = []
        if let node = known["is_sticky"], let isSticky = isSticky(node, "\(place).is_sticky") {
            members.append(("sticky", .bool(isSticky)))
        }
        for name in filters {
            guard let node = known["supported_\(name)"] else { continue }
            guard let words = filter(node, "\(place).supported_\(name)", of: name) else { return nil }
            members.append((name, .array(words.map(JSONValue.string))))
        }
        return members
    }

    private mutating func isSticky(_ node: JSONNode, _ place: String) -> Bool? {
        if case .string(let text) = node.content, let isSticky = Self.boolean(text) {
            report.note(place, "\(text.excerpt) is read as \(isSticky)", node.offset)
            return isSticky
        }
        switch node.content {
        case .bool(let isSticky): return isSticky
        // Property lists and Objective-C have their booleans as numbers too.
        case .integer(0): return false
        case .integer(1): return true
        default:
            report.note(place, "expected a boolean, found \(node.kind); not carried over", node.offset)
            return nil
        }
    }

    /// The text of a boolean, as an Objective-C dictionary may have it.
    private static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "y", "true", "t", "1": true
        case "no", "n", "false", "f", "0": false
        default: nil
        }
    }

    /// The words of a text with commas. If there are none, no unit takes part, as no country is among them.
    private mutating func filter(_ node: JSONNode, _ place: String, of what: String) -> [String]? {
        guard case .string(let text) = node.content else {
            let reason = "expected a string, found \(node.kind); the experiment is left out"
            report.note(place, reason, node.offset)
            return nil
        }
        let words = text.split(separator: ",").map { part in
            var word = part.drop(while: \.isWhitespace)
            while word.last?.isWhitespace == true { word.removeLast() }
            return String(word)
        }
        let filter = words.filter { !$0.isEmpty }
        if filter.isEmpty {
            report.note(place, "no \(what), so no unit takes part; remove the key to include all units", node.offset)
        }
        return filter
    }

    /// A number, or with a note the text of one.
    private mutating func weight(_ node: JSONNode, _ place: String) -> Double? {
        guard case .string(let text) = node.content else { return node.number }
        guard let weight = Int(text), weight >= 0 else { return nil }
        report.note(place, "the string \(text.excerpt) is read as \(weight)", node.offset)
        return Double(weight)
    }

    /// The variants by name; nil, and a note, where units cannot be divided by their weights.
    private mutating func variants(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> [JSONValue]? {
        var variants: [JSONValue] = []
        var total = 0.0
        for member in try report.object(node, place).sorted(by: { $0.name < $1.name }) {
            let memberPlace = "\(place).\(member.name)"
            guard let weight = weight(member.value, memberPlace) else {
                let reason = "expected a number, found \(member.value.kind); the experiment is left out"
                report.note(memberPlace, reason, member.value.offset)
                return nil
            }
            guard weight >= 0, weight.isFinite else {
                let reason = "expected 0 or more, found \(weight); the experiment is left out"
                report.note(memberPlace, reason, member.value.offset)
                return nil
            }
            total += weight
            variants.append(["name": .string(member.name), "weight": JSONValue(shortest: weight)])
        }
        guard total > 0 else {
            let reason = variants.isEmpty ? "no variants" : "all weights are zero"
            report.note(place, "\(reason); the experiment is left out", node.offset)
            return nil
        }
        return variants
    }
}
