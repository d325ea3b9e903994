/// Where the value of a setting comes from.
public enum ConfigurationLayer: String, Sendable, Hashable, CaseIterable {
    /// Set in code while the tracker runs.
    case runtime
    /// Said by the remote document.
    case remote
    /// Said by the default configuration.
    case `default`
    /// The SDK's own.
    case builtIn = "builtin"
}

/// A section's layers, merged field by field: runtime over remote over default over built in.
package struct Layered<Section: ConfigurationSection>: Sendable {
    /// What the default configuration says.
    package var defaults = Section()

    /// What the remote document says.
    package var remote = Section()

    private var runtime = Section()
    // A field that was set to nil at run time is cleared, which is not the same as not set.
    private var written: Set<String> = []

    package init() {}

    /// The merged section.
    package var effective: Section {
        var merged = Section.builtIn
        for field in Section.fields { field.copy(winner(field).section, &merged) }
        return merged
    }

    /// The layer that gives a field's value.
    package func source(_ field: Field<Section>) -> ConfigurationLayer {
        winner(field).layer
    }

    /// Sets a field at run time; nil clears it, which shows the built-in value.
    package mutating func set<Value>(
        _ keyPath: WritableKeyPath<Section, Value?>, to value: Value?
    ) throws(ConfigurationError) {
        guard let field = Section.field(keyPath) else {
            throw ConfigurationError(.unknownField, place: "\(keyPath)", reason: "this property is no setting")
        }
        runtime[keyPath: keyPath] = value
        written.insert(field.name)
    }

    /// Sets a field at run time to what a section has in it.
    package mutating func set(_ field: Field<Section>, from section: Section) {
        field.copy(section, &runtime)
        written.insert(field.name)
    }

    /// Forgets what was set at run time.
    package mutating func reset(_ field: Field<Section>) {
        written.remove(field.name)
    }

    private func winner(_ field: Field<Section>) -> (layer: ConfigurationLayer, section: Section) {
        if written.contains(field.name) { return (.runtime, field.isSet(runtime) ? runtime : .builtIn) }
        if field.isSet(remote) { return (.remote, remote) }
        if field.isSet(defaults) { return (.default, defaults) }
        return (.builtIn, .builtIn)
    }
}
