/// The settings of one section in bundles, layers and trackers.
struct SectionAccess<Section: ConfigurationSection>: AnySection {
    private let bundle: any WritableKeyPath<ConfigurationBundle, Section?> & Sendable
    private let layers: any WritableKeyPath<TrackerLayers, Layered<Section>> & Sendable

    init(
        _ bundle: any WritableKeyPath<ConfigurationBundle, Section?> & Sendable,
        _ layers: any WritableKeyPath<TrackerLayers, Layered<Section>> & Sendable
    ) {
        (self.bundle, self.layers) = (bundle, layers)
    }

    var name: String { Section.name }

    func canonicalName(_ name: String) -> String? { Section.field(named: name)?.name }

    func read(
        _ members: [JSONNode.Member], _ bundle: inout ConfigurationBundle,
        _ note: (JSONNode.Member, ReadOutcome) throws(ConfigurationError) -> Void
    ) throws(ConfigurationError) {
        var section = Section()
        var repeatable: [String] = []
        for member in members where !member.isNull {
            guard let field = Section.fields.first(where: { $0.isInDocuments && $0.isNamed(by: member.name) }) else {
                try note(member, .unknown)
                continue
            }
            if !field.aliases.isEmpty {
                if repeatable.contains(field.name) { try note(member, .repeated(field.name)) }
                repeatable.append(field.name)
            }
            var warnings: [String] = []
            do throws(FieldMismatch) {
                try field.read(member.value, &section) { warnings.append($0) }
            } catch {
                try note(member, .mismatch(error))
                continue
            }
            try note(member, .value(warnings))
        }
        bundle[keyPath: self.bundle] = section
    }

    func caveats(_ bundle: ConfigurationBundle, _ note: (_ field: String, _ reason: String) -> Void) {
        guard let section = bundle[keyPath: self.bundle] else { return }
        for field in Section.fields {
            guard let caveat = field.caveat, let value = field.json(section), value != false else { continue }
            note(field.name, caveat)
        }
    }

    func check(_ bundle: ConfigurationBundle) throws(ConfigurationError) { try bundle[keyPath: self.bundle]?.check() }

    func clamp(_ bundle: inout ConfigurationBundle, _ warn: (_ field: String, _ reason: String) -> Void) {
        bundle[keyPath: self.bundle]?.clamp(warn: warn)
    }

    func explain(_ layers: TrackerLayers) -> [SettingExplanation] { Section.fields.map { explain(layers, $0) } }

    func explain(_ layers: TrackerLayers, _ keyPath: AnyKeyPath) -> SettingExplanation {
        guard let field = Section.field(keyPath) else {
            return SettingExplanation(field: "\(name).\(keyPath)", [], origin: layers.origin)
        }
        return explain(layers, field)
    }

    private func explain(_ layers: TrackerLayers, _ field: ConfigurationField<Section>) -> SettingExplanation {
        SettingExplanation(
            field: "\(name).\(field.name)", layers[keyPath: self.layers].candidates(field), origin: layers.origin)
    }

    func differing(_ first: TrackerLayers, _ second: TrackerLayers) -> [String] {
        first[keyPath: layers].effective.fieldsThatDiffer(from: second[keyPath: layers].effective)
    }

    func effective(_ layers: TrackerLayers) -> JSONObject {
        let section = layers[keyPath: self.layers].effective
        let fields = Section.fields.filter(\.isInDocuments)
        return JSONObject(present: fields.map { ($0.name, $0.json(section)?.inWholeSeconds) })
    }

    func setter(
        _ name: String, to node: JSONNode, at time: Int64, _ warn: (String) -> Void
    ) throws(ConfigurationError) -> (inout TrackerLayers) -> Void {
        guard let field = Section.field(named: name) else { return { _ in } }
        let place = "\(self.name).\(name)"
        var section = Section()
        do throws(FieldMismatch) {
            try field.read(node, &section) { warn("\(place): \($0)") }
            if !field.isSet(section), !node.isNull { throw FieldMismatch(expected: "a known value", found: node) }
        } catch {
            throw ConfigurationError(.wrongType, place: place + error.path, reason: error.reason)
        }
        return try setter(field, from: section, at: time, warn)
    }

    func setter(
        _ keyPath: AnyKeyPath, from section: any Sendable, at time: Int64, _ warn: (String) -> Void
    ) throws(ConfigurationError) -> (inout TrackerLayers) -> Void {
        guard let field = Section.field(keyPath), let section = section as? Section else {
            throw ConfigurationError(.unknownField, place: "\(keyPath)", reason: "this property is no setting")
        }
        return try setter(field, from: section, at: time, warn)
    }

    private func setter(
        _ field: ConfigurationField<Section>, from section: Section, at time: Int64, _ warn: (String) -> Void
    ) throws(ConfigurationError) -> (inout TrackerLayers) -> Void {
        try field.check(section)
        var clamped = section
        field.clamp(&clamped) { warn("\(name).\(field.name): \($0)") }
        return { [clamped] in $0[keyPath: layers].set(field, from: clamped, at: time) }
    }

    func reset(_ name: String, _ layers: inout TrackerLayers) {
        if let field = Section.field(named: name) { layers[keyPath: self.layers].reset(field) }
    }

    func reset(_ keyPath: AnyKeyPath, _ layers: inout TrackerLayers) {
        if let field = Section.field(keyPath) { layers[keyPath: self.layers].reset(field) }
    }
}

extension JSONValue {
    /// A duration as a document has it, rounded up; any other value as it is.
    fileprivate var inWholeSeconds: JSONValue {
        if case .double(let seconds) = self { .int(Int(seconds.rounded(.up))) } else { self }
    }
}
