/// A section, with the type erased: where bundles and layers keep it, and how its fields are reached by name.
package final class AnySection: Sendable {
    /// The section's name without `Configuration`.
    package let name: String

    /// The section's key in a bundle.
    package let key: String

    /// The name of a field by any of its names, nil if there is none.
    package let canonicalName: @Sendable (String) -> String?

    /// What comes of reading a key of a section's object.
    package enum Reading {
        /// It was read, with warnings.
        case value([String])
        /// There is no such field in documents.
        case unknown
        /// The field of this name stands there by another one of its names too.
        case repeated(String)
        /// The value has the wrong type.
        case mismatch(FieldMismatch)
    }

    /// Reads the section's object, without the members that are null, and puts the section into a bundle.
    package let read:
        @Sendable (
            JSONNode.Members, inout ConfigurationBundle,
            _ note: (JSONNode.Member, Reading) throws(ConfigurationError) -> Void
        ) throws(ConfigurationError) -> Void

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
        let readable = Section.fields.filter(\.isInDocuments)
        let keys = readable.map { JSONNode.Key($0.key) }
        read = { (members, target, note) throws(ConfigurationError) in
            // Written at once, because a key path takes some hundred instructions.
            var section = Section()
            var repeatable: [String] = []
            for member in members where !member.isNull {
                let index = keys.firstIndex(of: member.key) ?? readable.firstIndex { $0.hasAlias(member) }
                guard let index, readable[index].isNamed(by: member) else {
                    try note(member, .unknown)
                    continue
                }
                let field = readable[index]
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
            target[keyPath: bundle].value = section
        }
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
