/// The layer of a setting's value.
@nonexhaustive
public enum ConfigurationLayer: String, Sendable, Hashable, CaseIterable, Codable {
    /// A value that code set while the tracker runs.
    case runtime
    /// A value of the remote document.
    case remote
    /// A value of the default configuration.
    case `default`
    /// A value of the SDK itself.
    case builtIn = "builtin"
}

/// A section's layers, merged field by field: runtime over remote over default over built in.
package struct Layered<Section: ConfigurationSection>: Sendable {
    /// The settings of the default configuration.
    private(set) var defaults = SharedSection<Section>()
    /// The settings of the remote document.
    private(set) var remote = SharedSection<Section>()
    private var runtime = SharedSection<Section>()
    // When a field was set at run time. One that was set to nil is cleared, which is not the same as not set.
    private var written: [String: Int64] = [:]

    package init() {}

    /// Replaces the settings of the default configuration and the remote document.
    package mutating func adopt(defaults: SharedSection<Section>?, remote: SharedSection<Section>?) {
        self.defaults = defaults ?? SharedSection()
        self.remote = remote ?? SharedSection()
    }

    /// The merged section.
    package var effective: Section {
        var merged = Section.builtIn
        // The lowest first.
        for layer in [defaults, remote] {
            layer.read { layer in for field in Section.fields { field.merge(layer, &merged) } }
        }
        if written.isEmpty { return merged }
        let runtime = runtime.value ?? Section()
        for field in Section.fields where written[field.name] != nil {
            field.copy(field.isSet(runtime) ? runtime : .builtIn, &merged)
        }
        return merged
    }

    /// The layer that gives a field's value.
    package func source(_ field: ConfigurationField<Section>) -> ConfigurationLayer {
        candidates(field)[0].layer
    }

    /// The values that layers give to a field, the one in effect first; only those of the runtime layer have a `time`.
    package func candidates(_ field: ConfigurationField<Section>) -> [(
        layer: ConfigurationLayer, value: JSONValue?, time: Int64?
    )] {
        var candidates: [(layer: ConfigurationLayer, value: JSONValue?, time: Int64?)] = []
        if let time = written[field.name] {
            let runtime = runtime.value ?? Section()
            // If a value is needed, cleared means the built-in one.
            candidates.append((.runtime, field.json(runtime) ?? field.json(.builtIn), time))
        }
        let below = [(ConfigurationLayer.remote, remote.value), (.default, defaults.value), (.builtIn, .builtIn)]
        for case (let layer, let section?) in below where field.isSet(section) {
            candidates.append((layer, field.json(section), nil))
        }
        return candidates.isEmpty ? [(.builtIn, nil, nil)] : candidates
    }

    /// The values that code gives a field: the one set at run time and the default's.
    package func valuesInCode<Value>(_ keyPath: KeyPath<Section, Value?>) -> [Value] {
        let isWritten = Section.field(keyPath).map { written[$0.name] != nil } ?? false
        let layers = [isWritten ? runtime.value : nil, defaults.value]
        return layers.compactMap { $0?[keyPath: keyPath] }
    }

    /// Sets a field at run time; nil clears it, which shows the built-in value.
    package mutating func set<Value>(
        _ keyPath: WritableKeyPath<Section, Value?>, to value: Value?, at time: Int64
    ) throws(ConfigurationError) {
        guard let field = Section.field(keyPath) else {
            throw ConfigurationError(.unknownField, place: "\(keyPath)", reason: "this property is no setting")
        }
        runtime.change { $0[keyPath: keyPath] = value }
        written[field.name] = time
    }

    /// Sets a field at run time to what a section has in it.
    package mutating func set(_ field: ConfigurationField<Section>, from section: Section, at time: Int64) {
        runtime.change { field.copy(section, &$0) }
        written[field.name] = time
    }

    /// Removes the value that was set at run time.
    package mutating func reset(_ field: ConfigurationField<Section>) {
        written[field.name] = nil
    }
}
