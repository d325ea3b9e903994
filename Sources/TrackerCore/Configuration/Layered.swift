/// The layer of a setting's value.
package enum ConfigurationLayer: String, Sendable, Hashable, CaseIterable, Encodable {
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
    private(set) var defaults: Section?
    /// The settings of the remote document.
    private(set) var remote: Section?
    private var runtime = Section()
    // The times of the runtime values by field. A field that was set to nil is cleared, which is not the same as unset.
    private var written: [String: Int64] = [:]

    package init() {}

    /// Replaces the settings of the default configuration and the remote document.
    package mutating func adopt(defaults: Section?, remote: Section?) {
        (self.defaults, self.remote) = (defaults, remote)
    }

    /// The merged section.
    package var effective: Section {
        // From a copy of the highest layer, because most trackers have one, and each access to a field by its key path
        // takes some 600 instructions.
        var merged = remote ?? defaults ?? Section()
        if remote != nil, let defaults { for field in Section.fields { field.fill(&merged, defaults) } }
        if !written.isEmpty {
            for field in Section.fields where written[field.name] != nil { field.copy(runtime, &merged) }
        }
        for field in Section.fields where field.isBuiltIn { field.fill(&merged, .builtIn) }
        return merged
    }

    /// The values of a field by layer, the effective one first; only the runtime layer's value has a `time`.
    package func candidates(_ field: ConfigurationField<Section>) -> [(
        layer: ConfigurationLayer, value: JSONValue?, time: Int64?
    )] {
        var candidates: [(layer: ConfigurationLayer, value: JSONValue?, time: Int64?)] = []
        if let time = written[field.name] {
            // A cleared field has the built-in value if there is one.
            candidates.append((.runtime, field.json(runtime) ?? field.json(.builtIn), time))
        }
        let below = [(ConfigurationLayer.remote, remote), (.default, defaults), (.builtIn, .builtIn)]
        for (layer, section) in below {
            guard let value = section.flatMap(field.json) else { continue }
            candidates.append((layer, value, nil))
        }
        return candidates.isEmpty ? [(.builtIn, nil, nil)] : candidates
    }

    /// Whether a field's value comes from the remote layer.
    func isRemote<Value>(_ keyPath: KeyPath<Section, Value?>) -> Bool {
        remote?[keyPath: keyPath] != nil && Section.field(keyPath).map { written[$0.name] == nil } != false
    }

    /// Sets a field's runtime value to the value in a section.
    package mutating func set(_ field: ConfigurationField<Section>, from section: Section, at time: Int64) {
        field.copy(section, &runtime)
        written[field.name] = time
    }

    /// Removes a field's runtime value.
    package mutating func reset(_ field: ConfigurationField<Section>) {
        written[field.name] = nil
    }
}
