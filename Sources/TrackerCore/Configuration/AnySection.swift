/// A section, with the type erased: where bundles and layers keep it, and how its fields are reached by name.
package final class AnySection: Sendable {
    /// The section's name without `Configuration`.
    package let name: String

    /// The section's key in a bundle.
    package let key: String

    /// The name of a field by any of its names, nil if there is none.
    package let canonicalName: @Sendable (String) -> String?

    /// The names of the fields that have several, by each of them.
    package let aliases: [String: String]

    /// Reads one key of the section's object into a bundle; false if there is no such field in documents.
    package let read:
        @Sendable (String, JSONNode, inout ConfigurationBundle, _ warn: (String) -> Void) throws(FieldMismatch) -> Bool

    /// Makes the section present in a bundle, though it may be empty.
    package let touch: @Sendable (inout ConfigurationBundle) -> Void

    /// Passes on the names of the fields that a bundle sets to true and that its author should know of, each with what there
    /// is to know.
    package let caveats: @Sendable (ConfigurationBundle, _ note: (_ field: String, _ reason: String) -> Void) -> Void

    /// Checks the values that code gives a bundle's section; may read the disk.
    package let check: @Sendable (ConfigurationBundle) throws(ConfigurationError) -> Void

    /// Checks a value that is to be set at run time; may read the disk. The field must be known.
    let checkValue: @Sendable (String, JSONNode) throws(ConfigurationError) -> Void

    /// Clamps all numbers of a bundle's section.
    package let clamp: @Sendable (inout ConfigurationBundle, _ warn: (String, String) -> Void) -> Void

    /// Explains every field.
    package let explain: @Sendable (TrackerLayers) -> [SettingExplanation]

    /// The names of the fields that have different values in effect.
    let differing: @Sendable (TrackerLayers, TrackerLayers) -> [String]

    /// The settings in effect, as a document writes them; those that are unset are left out.
    package let effective: @Sendable (TrackerLayers) -> JSONObject

    /// Sets a field at run time from a document's value; the field must be known.
    package let set:
        @Sendable (String, JSONNode, inout TrackerLayers, _ time: Int64, (String) -> Void) throws(FieldMismatch) -> Void

    /// Forgets a field's runtime value; the field must be known.
    package let reset: @Sendable (String, inout TrackerLayers) -> Void

    /// The sections, in the order in which documents list them.
    package static let all: [AnySection] = [
        AnySection(\.sharedNetwork, \.network),
        AnySection(\.sharedTracker, \.tracker),
        AnySection(\.sharedSubject, \.subject),
        AnySection(\.sharedSession, \.session),
        AnySection(\.sharedEmitter, \.emitter),
    ]

    private init<Section: ConfigurationSection>(
        _ bundle: any WritableKeyPath<ConfigurationBundle, SharedSection<Section>> & Sendable,
        _ layers: any WritableKeyPath<TrackerLayers, Layered<Section>> & Sendable
    ) {
        name = Section.name
        key = "\(Section.name)Configuration"
        canonicalName = { Section.field(named: $0)?.name }
        aliases = Section.fields.reduce(into: [:]) { names, field in
            for name in field.aliases.isEmpty ? [] : [field.name] + field.aliases { names[name] = field.name }
        }
        read = { (name, node, target, warn) throws(FieldMismatch) in
            guard let field = Section.field(named: name), field.isInDocuments else { return false }
            // In place: a section is large to copy, and has many fields.
            try target[keyPath: bundle].change { (section) throws(FieldMismatch) in
                try field.read(node, &section, warn)
            }
            return true
        }
        touch = { target in target[keyPath: bundle].change { _ in } }
        let fields = Section.fields.filter { $0.caveat != nil }
        caveats = { source, note in
            guard !fields.isEmpty else { return }
            source[keyPath: bundle].read { section in
                for field in fields where field.isTrue(section) { note(field.name, field.caveat ?? "") }
            }
        }
        check = { (source) throws(ConfigurationError) in try source[keyPath: bundle].value?.check() }
        checkValue = { (name, node) throws(ConfigurationError) in
            var section = Section()
            // A value of the wrong type is the error of `set`.
            try? Section.field(named: name)?.read(node, &section) { _ in }
            try section.check()
        }
        clamp = { target, warn in
            if target[keyPath: bundle].isPresent { target[keyPath: bundle].change { $0.clamp(warn: warn) } }
        }
        explain = { source in
            Section.fields.map { field in
                SettingExplanation(
                    field: "\(Section.name).\(field.name)", source[keyPath: layers].candidates(field),
                    origin: source.origin)
            }
        }
        differing = { first, second in
            let (first, second) = (first[keyPath: layers].effective, second[keyPath: layers].effective)
            return Section.fields.filter { field in
                var mixed = first
                field.copy(second, &mixed)
                return mixed != first
            }.map(\.name)
        }
        effective = { source in
            let section = source[keyPath: layers].effective
            return JSONObject(present: Section.fields.map { ($0.name, $0.json(section)) })
        }
        set = { (name, node, target, time, warn) throws(FieldMismatch) in
            guard let field = Section.field(named: name) else { return }
            var section = Section()
            try field.read(node, &section, warn)
            if !field.isSet(section), node.approximateValue != .null {
                throw FieldMismatch(expected: "a known value", found: node)
            }
            target[keyPath: layers].set(field, from: section, at: time)
        }
        reset = { name, target in
            guard let field = Section.field(named: name) else { return }
            target[keyPath: layers].reset(field)
        }
    }
}
