/// Settings by the names that documents have for them, for consoles and command lines.
extension Tracker {
    /// Explains every setting, by `section.field` as `subject.userId`, in the order of documents.
    /// - Returns: Names and explanations.
    public func explanations() -> [(field: String, explanation: Explanation)] {
        state.withLock { $0.layers }.explanations
    }

    /// The settings in effect as a bundle of a document; unset ones and secrets are left out.
    package var effectiveBundle: JSONObject {
        let layers = state.withLock { $0.layers }
        let sections = SectionTable.all.map { ("\($0.name)Configuration", JSONValue.object($0.effective(layers))) }
        return JSONObject([("namespace", .string(namespace))] + sections)
    }

    /// Explains one setting.
    /// - Parameter field: Its section without `Configuration`, a dot and its key, as `subject.userId`.
    /// - Returns: The explanation.
    /// - Throws: Where there is no such setting.
    public func explain(field: String) throws(ConfigurationError) -> Explanation {
        let name = try Self.split(field)
        let layers = state.withLock { $0.layers }
        guard let found = name.section.explain(layers).first(where: { $0.field == name.field }) else {
            throw Self.unknown(field)
        }
        return found.explanation
    }

    /// Changes a setting to a document's value; null clears it.
    package func set(field: String, to node: JSONNode) throws(ConfigurationError) {
        let name = try Self.split(field)
        let log = settingsLog
        let now = pipeline.time.wallTime
        var warnings: [String] = []
        defer { for warning in warnings { log.error("\(field): \(warning)") } }
        try change { (layers) throws(ConfigurationError) in
            do throws(FieldMismatch) {
                try name.section.set(name.field, node, &layers, now) { warnings.append($0) }
            } catch {
                throw ConfigurationError(.wrongType, place: field + error.path, reason: error.reason)
            }
        }
    }

    /// Forgets a setting's runtime value.
    package func reset(field: String) throws(ConfigurationError) {
        let name = try Self.split(field)
        try change { name.section.reset(name.field, &$0) }
    }

    private static func split(_ field: String) throws(ConfigurationError) -> (section: SectionTable, field: String) {
        let parts = field.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, let section = SectionTable.all.first(where: { $0.name == parts[0] }),
            let name = section.canonicalName(parts[1])
        else { throw unknown(field) }
        return (section, name)
    }

    private static func unknown(_ field: String) -> ConfigurationError {
        ConfigurationError(.unknownField, place: field, reason: "there is no such field")
    }
}

extension TrackerLayers {
    /// Explains every setting, by `section.field`, in the order of documents.
    package var explanations: [(field: String, explanation: Explanation)] {
        SectionTable.all.flatMap { section in
            section.explain(self).map { ("\(section.name).\($0.field)", $0.explanation) }
        }
    }
}
