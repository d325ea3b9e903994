/// The source with the highest precedence, for changes while the service runs: by testers, a console or a test.
///
/// ```swift
/// try setup.features.overrides.set(5, for: "checkout", variable: "retryLimit")
/// try setup.features.overrides.setEnabled(false, for: "checkout")
/// try setup.features.overrides.remove("checkout", variable: "retryLimit")
/// ```
///
/// Overrides survive every refresh, and also a restart if ``FeatureOptions/overridesFile`` names a file. They are in effect
/// when a call returns, even if it throws because the file cannot be written.
public final class FeatureOverrides: Sendable {
    private let file: OverridesFile?
    private let store: FeatureStore

    init(file: OverridesFile?, store: FeatureStore) {
        self.file = file
        self.store = store
    }

    /// The overridden features and variables, sorted by name.
    public var features: [FeatureDefinition] { store.layers.overrides.definitions }

    /// The forced variants, by the experiment's id.
    public var variants: [String: String] {
        Dictionary(store.layers.overrides.variants.map { ($0.key.text, $0.value) }) { first, _ in first }
    }

    /// Overrides a variable; a null removes the override.
    /// - Parameters:
    ///   - value: The value.
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    /// - Throws: ``FeatureError`` if the value cannot be written as JSON, or if the file cannot be written.
    public func set<Value: Encodable>(_ value: Value, for feature: String, variable: String) throws(FeatureError) {
        let key = VariableKey(feature, variable)
        let value = try JSONValue(override: value, at: "\(key)")
        let content = value == .null ? nil : VariableContent(value: value, isEncrypted: false)
        try change("\(key)") { $0.variables[key] = content }
    }

    /// Overrides whether a feature is enabled.
    /// - Parameters:
    ///   - isEnabled: Whether the feature is enabled.
    ///   - feature: The feature's name.
    /// - Throws: ``FeatureError`` if the file cannot be written.
    public func setEnabled(_ isEnabled: Bool, for feature: String) throws(FeatureError) {
        try change(feature) { $0.enabled[exactly: feature] = isEnabled }
    }

    /// Removes an override, so that the next source in precedence applies again.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name; nil for whether the feature is enabled.
    /// - Throws: ``FeatureError`` if the file cannot be written.
    public func remove(_ feature: String, variable: String? = nil) throws(FeatureError) {
        guard let variable else { return try change(feature) { $0.enabled[exactly: feature] = nil } }
        let key = VariableKey(feature, variable)
        try change("\(key)") { $0.variables[key] = nil }
    }

    /// Forces a variant on all units, for testers. Forced variants record no exposure.
    /// - Parameters:
    ///   - variant: The variant's name; a name that the experiment does not have is ignored. nil removes the override.
    ///   - experiment: The experiment's id.
    /// - Throws: ``FeatureError`` if the file cannot be written.
    public func force(_ variant: String?, of experiment: String) throws(FeatureError) {
        try change(experiment) { $0.variants[exactly: experiment] = variant }
    }

    /// Removes all overrides and forced variants.
    /// - Throws: ``FeatureError`` if the file cannot be written.
    public func removeAll() throws(FeatureError) {
        try change("overrides") { $0 = OverrideSet() }
    }

    /// Takes what the file says, in the place of all that was set; ``FeatureListeners/tell()`` is to follow.
    func load() throws {
        try file?.read { set in store.change { $0.overrides = set } }
    }

    private func change(_ place: String, _ edit: (inout OverrideSet) -> Void) throws(FeatureError) {
        // In a forked child a lock may be held by a thread that does not exist there.
        guard store.forkGuard.isOwnProcess else {
            throw FeatureError(
                .notKept, place: place, reason: "a setup that was made before a fork has no overrides set")
        }
        var isInEffect = false
        func apply() {
            guard !isInEffect else { return }
            isInEffect = true
            store.change { edit(&$0.overrides) }
        }
        // Outside the lock of the file, because a listener may set overrides too.
        defer { store.listeners.tell() }
        guard let file else { return apply() }
        do throws(FileError) {
            // In the order of the file, which the lock of the file gives.
            try file.change { set in
                edit(&set)
                apply()
            }
        } catch {
            apply()
            throw FeatureError(
                .notKept, place: place, reason: "the override is in effect, but ends with the process: \(error)",
                cause: error)
        }
    }
}
