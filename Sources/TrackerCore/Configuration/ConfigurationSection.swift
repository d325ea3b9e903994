/// A group of settings of a tracker.
///
/// Every setting is optional; nil is unset, and the layer below applies. A section lists its settings once, in
/// ``fields``. Reading, merging and explaining use that list.
///
/// The requirements after ``init()`` have one implementation for all sections, but are compiled for each section,
/// because each tracker of a document needs them.
package protocol ConfigurationSection: Sendable, Equatable {
    /// The section's name without `Configuration`, as explanations use it.
    static var name: String { get }

    /// All settings of the section.
    static var fields: [ConfigurationField<Self>] { get }

    /// The values of settings that no layer sets.
    static var builtIn: Self { get }

    /// The section's place in a bundle.
    static var inBundle: WritableKeyPath<ConfigurationBundle, Self?> { get }

    /// The section's place in layers.
    static var inLayers: WritableKeyPath<TrackerLayers, Layered<Self>> { get }

    /// Creates a section with all settings unset.
    init()

    /// Reads the section's object, except for null members, into a bundle.
    static func read(
        _ members: [JSONNode.Member], _ bundle: inout ConfigurationBundle,
        _ note: (JSONNode.Member, ReadOutcome) throws(ConfigurationError) -> Void
    ) throws(ConfigurationError)

    /// Calls `note` for each field of a bundle that has a caveat and is set to anything but false.
    static func caveats(_ bundle: ConfigurationBundle, _ note: (_ field: String, _ reason: String) -> Void)

    /// Checks the values of a bundle's section that were set in code; may read from disk.
    static func check(_ bundle: ConfigurationBundle) throws(ConfigurationError)

    /// Clamps every number of a bundle's section to its range.
    static func clamp(_ bundle: inout ConfigurationBundle, _ warn: (_ field: String, _ reason: String) -> Void)
}

/// The result of reading a key of a section's object.
package enum ReadOutcome {
    /// The key was read, with warnings.
    case value([String])
    /// Documents have no such field.
    case unknown
    /// The object has the field of this name under another of its names too.
    case repeated(String)
    /// The value has the wrong type.
    case mismatch(FieldMismatch)
}

extension ConfigurationBundle {
    /// The sections, in the order in which documents list them.
    package static let sections: [any ConfigurationSection.Type] = [
        NetworkConfiguration.self, TrackerConfiguration.self, EventSubject.self, SessionConfiguration.self,
        EmitterConfiguration.self,
    ]
}

extension ConfigurationSection {
    /// The field of a key path; nil if it is not a setting, such as a computed property of a user's extension.
    static func field(_ keyPath: AnyKeyPath) -> ConfigurationField<Self>? {
        fields.first { $0.keyPath == keyPath }
    }

    /// The field with a name or alias of documents.
    package static func field(named name: String) -> ConfigurationField<Self>? {
        fields.first { $0.name == name } ?? fields.first { $0.aliases.contains(name) }
    }

    /// The names of the fields whose values differ from those of another section.
    package func fieldsThatDiffer(from other: Self) -> [String] {
        guard self != other else { return [] }
        return Self.fields.filter { field in
            var mixed = self
            field.copy(other, &mixed)
            return mixed != self
        }.map(\.name)
    }

    /// The section's key in documents.
    package static var key: String { "\(name)Configuration" }

    /// Returns a field's name in documents for its name or alias; nil if there is no such field.
    package static func canonicalName(_ name: String) -> String? { field(named: name)?.name }

    package static func read(
        _ members: [JSONNode.Member], _ bundle: inout ConfigurationBundle,
        _ note: (JSONNode.Member, ReadOutcome) throws(ConfigurationError) -> Void
    ) throws(ConfigurationError) {
        var section = Self()
        var repeatable: [String] = []
        for member in members where !member.isNull {
            guard let field = fields.first(where: { $0.isInDocuments && $0.isNamed(by: member.name) }) else {
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
        bundle[keyPath: inBundle] = section
    }

    package static func caveats(_ bundle: ConfigurationBundle, _ note: (_ field: String, _ reason: String) -> Void) {
        guard let section = bundle[keyPath: inBundle] else { return }
        for field in fields {
            guard let caveat = field.caveat, let value = field.json(section), value != false else { continue }
            note(field.name, caveat)
        }
    }

    package static func check(_ bundle: ConfigurationBundle) throws(ConfigurationError) {
        guard let section = bundle[keyPath: inBundle] else { return }
        for field in fields { try field.check(section) }
    }

    package static func clamp(_ bundle: inout ConfigurationBundle, _ warn: (_ field: String, _ reason: String) -> Void)
    {
        guard var section = bundle[keyPath: inBundle] else { return }
        for field in fields { field.clamp(&section) { warn(field.name, $0) } }
        bundle[keyPath: inBundle] = section
    }

    /// Explains every field.
    package static func explain(_ layers: TrackerLayers) -> [SettingExplanation] { fields.map { explain(layers, $0) } }

    /// Explains the field of a key path.
    package static func explain(_ layers: TrackerLayers, _ keyPath: AnyKeyPath) -> SettingExplanation {
        guard let field = field(keyPath) else {
            return SettingExplanation(field: "\(name).\(keyPath)", [], origin: layers.origin)
        }
        return explain(layers, field)
    }

    private static func explain(_ layers: TrackerLayers, _ field: ConfigurationField<Self>) -> SettingExplanation {
        SettingExplanation(
            field: "\(name).\(field.name)", layers[keyPath: inLayers].candidates(field), origin: layers.origin)
    }

    /// The names of the fields whose effective values differ.
    package static func differing(_ first: TrackerLayers, _ second: TrackerLayers) -> [String] {
        first[keyPath: inLayers].effective.fieldsThatDiffer(from: second[keyPath: inLayers].effective)
    }

    /// The effective values of the settings that documents may set, as documents write them; unset ones are left out.
    package static func effective(_ layers: TrackerLayers) -> JSONObject {
        let section = layers[keyPath: inLayers].effective
        let fields = fields.filter(\.isInDocuments)
        return JSONObject(present: fields.map { ($0.name, $0.json(section)?.inWholeSeconds) })
    }

    /// Returns a function that gives a known field a document's value at run time. May read from disk.
    package static func setter(
        _ name: String, to node: JSONNode, at time: Int64, _ warn: (String) -> Void
    ) throws(ConfigurationError) -> (inout TrackerLayers) -> Void {
        guard let field = field(named: name) else { return { _ in } }
        let place = "\(Self.name).\(name)"
        var section = Self()
        do throws(FieldMismatch) {
            try field.read(node, &section) { warn("\(place): \($0)") }
            if field.json(section) == nil, !node.isNull { throw FieldMismatch(expected: "a known value", found: node) }
        } catch {
            throw ConfigurationError(.wrongType, place: place + error.path, reason: error.reason)
        }
        return try setter(field, from: section, at: time, warn)
    }

    /// Returns a function that gives a key path's field the section's value at run time. May read from disk.
    package static func setter(
        _ keyPath: AnyKeyPath, from section: any Sendable, at time: Int64, _ warn: (String) -> Void
    ) throws(ConfigurationError) -> (inout TrackerLayers) -> Void {
        guard let field = field(keyPath), let section = section as? Self else {
            throw ConfigurationError(.unknownField, place: "\(keyPath)", reason: "this property is no setting")
        }
        return try setter(field, from: section, at: time, warn)
    }

    private static func setter(
        _ field: ConfigurationField<Self>, from section: Self, at time: Int64, _ warn: (String) -> Void
    ) throws(ConfigurationError) -> (inout TrackerLayers) -> Void {
        try field.check(section)
        var clamped = section
        field.clamp(&clamped) { warn("\(name).\(field.name): \($0)") }
        return { [clamped] in $0[keyPath: inLayers].set(field, from: clamped, at: time) }
    }

    /// Removes a field's runtime value; the field must be known.
    package static func reset(_ name: String, _ layers: inout TrackerLayers) {
        if let field = field(named: name) { layers[keyPath: inLayers].reset(field) }
    }

    /// Removes the runtime value of the field of a key path.
    package static func reset(_ keyPath: AnyKeyPath, _ layers: inout TrackerLayers) {
        if let field = field(keyPath) { layers[keyPath: inLayers].reset(field) }
    }
}

extension JSONValue {
    /// A duration in whole seconds, rounded up, as documents have it; any other value unchanged.
    fileprivate var inWholeSeconds: JSONValue {
        if case .double(let seconds) = self { .int(Int(seconds.rounded(.up))) } else { self }
    }
}
