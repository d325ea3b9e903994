/// Settings by their names in documents, for consoles and command lines.
extension Tracker {
    /// A number that changes with each change of a setting, and when the tracker or its emitter is paused or resumed.
    package var settingsRevision: Int {
        let (generation, isPaused) = state.withLock { ($0.generation, $0.isPaused) }
        return 4 * generation + (isPaused ? 2 : 0) + (namespaceEmitter.isPaused ? 1 : 0)
    }

    /// The settings in effect as a bundle of a document; unset ones and secrets are left out.
    package var effectiveBundle: JSONObject {
        let layers = layers
        let sections = ConfigurationBundle.sections.map { ($0.key, JSONValue.object($0.effective(layers))) }
        return JSONObject([("namespace", .string(namespace))] + sections)
    }

    /// Changes a setting to a document's value; null clears it.
    package func set(field: String, to node: JSONNode) throws(ConfigurationError) {
        let name = try ConfigurationBundle.split(field)
        let log = settingsLog
        let set = try name.section.setter(name.field, to: node, at: pipeline.time.wallTime) { log.warning($0) }
        try change { set(&$0) }
    }

    /// Removes a setting's runtime value.
    package func reset(field: String) throws(ConfigurationError) {
        let name = try ConfigurationBundle.split(field)
        try change { name.section.reset(name.field, &$0) }
    }
}

extension ConfigurationBundle {
    /// The section and the key of a setting's full name.
    fileprivate static func split(
        _ field: String
    ) throws(ConfigurationError) -> (section: any ConfigurationSection.Type, field: String) {
        let parts = field.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, let section = sections.first(where: { $0.name == parts[0] }),
            let name = section.canonicalName(parts[1])
        else { throw ConfigurationError(.unknownField, place: field, reason: "there is no such field") }
        return (section, name)
    }

    /// The full name of a setting, such as `subject.userId`, for its name or alias.
    package static func canonicalName(_ field: String) throws(ConfigurationError) -> String {
        let name = try split(field)
        return "\(name.section.name).\(name.field)"
    }
}

extension TrackerLayers {
    /// Explains every setting, without secrets, by `section.field`, in the order of documents.
    package var explanations: [SettingExplanation] {
        ConfigurationBundle.sections.flatMap { $0.explain(self) }
    }

    /// Explains one setting.
    /// - Parameter field: Its section without `Configuration`, a dot and its key, such as `subject.userId`.
    /// - Returns: The explanation, without secrets.
    /// - Throws: An error if there is no such setting.
    package func explanation(of field: String) throws(ConfigurationError) -> SettingExplanation {
        let name = try ConfigurationBundle.canonicalName(field)
        guard let found = explanations.first(where: { $0.field == name }) else {
            throw ConfigurationError(.unknownField, place: field, reason: "there is no such field")
        }
        return found
    }

    /// The settings whose effective values differ from those of other layers, by `section.field`; includes differences
    /// within secrets, which explanations do not show.
    package func settingsThatDiffer(from other: TrackerLayers) -> Set<String> {
        Set(
            ConfigurationBundle.sections.flatMap { section in
                section.differing(self, other).map { "\(section.name).\($0)" }
            })
    }
}

extension Tracker {
    /// The user's id of the tracker's subject, read without merging the layers.
    package var subjectUserID: String? { state.withLock { $0.settings.subject.userID } }

    /// Whether events name no user, read without merging the layers.
    package var isUserAnonymous: Bool { state.withLock { $0.settings.isUserAnonymous } }
}
