/// The provider on top, to be changed while the service runs: by testers, by a console, by a test.
///
/// ```swift
/// try setup.features.overrides.set(5, for: "checkout", "retryLimit")
/// try setup.features.overrides.setEnabled(false, for: "checkout")
/// try setup.features.overrides.remove("checkout", "retryLimit")
/// ```
///
/// Overrides survive every refresh, and a restart where ``FeatureOptions/overridesFile`` names a file. They are in effect
/// when a call returns, also where it throws because the file cannot be written.
public final class FeatureOverrides: Sendable {
    private let state = Locked(OverrideSet())
    private let file: OverridesFile?
    private let publish: @Sendable (OverrideSet) -> Void

    init(file: OverridesFile?, publish: @escaping @Sendable (OverrideSet) -> Void) {
        self.file = file
        self.publish = publish
    }

    /// What is overridden, as a provider would say it; sorted by name.
    public var features: [FeatureDefinition] { current.definitions }

    /// The variants that are forced, by the experiment's id.
    public var variants: [String: String] { current.variants }

    /// Overrides a variable; a null removes the override.
    /// - Parameters:
    ///   - value: The value.
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    /// - Throws: Where the value is nothing that JSON can hold, or where it cannot be kept on disk.
    public func set<Value: Encodable>(_ value: Value, for feature: String, _ variable: String) throws(FeatureError) {
        let key = VariableKey(feature, variable)
        let value = try JSONValue(encoding: value, at: "\(key)")
        // A plain nil would be JSON's null here, which is no value that the file may have.
        try change("\(key)") { $0.variables[key] = value == .null ? JSONValue?.none : value }
    }

    /// Overrides whether a feature is on.
    /// - Parameters:
    ///   - isEnabled: Whether it is on.
    ///   - feature: The feature's name.
    /// - Throws: Where it cannot be kept on disk.
    public func setEnabled(_ isEnabled: Bool, for feature: String) throws(FeatureError) {
        try change(feature) { $0.enabled[feature] = isEnabled }
    }

    /// Removes the override of a variable, so that the value below shows again.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name; nil for whether the feature is on.
    /// - Throws: Where the removal cannot be kept on disk.
    public func remove(_ feature: String, _ variable: String? = nil) throws(FeatureError) {
        guard let variable else { return try change(feature) { $0.enabled[feature] = nil } }
        let key = VariableKey(feature, variable)
        try change("\(key)") { $0.variables[key] = nil }
    }

    /// Forces a variant on all units, for testers; none of them counts as exposed.
    /// - Parameters:
    ///   - variant: The variant's name; one that the experiment does not have is as if it were not forced. nil forces
    ///     no longer.
    ///   - experiment: The experiment's id.
    /// - Throws: Where it cannot be kept on disk.
    public func force(_ variant: String?, of experiment: String) throws(FeatureError) {
        try change(experiment) { $0.variants[experiment] = variant }
    }

    /// Removes all overrides and forced variants.
    /// - Throws: Where the removal cannot be kept on disk.
    public func removeAll() throws(FeatureError) {
        try change("overrides") { $0 = OverrideSet() }
    }

    var current: OverrideSet { state.withLock { $0 } }

    /// Takes what the file says, in the place of all that was set.
    func load() throws {
        guard let file else { return }
        let set = try file.read()
        state.withLock { $0 = set }
        publish(set)
    }

    private func change(_ place: String, _ edit: (inout OverrideSet) -> Void) throws(FeatureError) {
        var isInEffect = false
        func apply() {
            guard !isInEffect else { return }
            isInEffect = true
            publish(
                state.withLock { set in
                    edit(&set)
                    return set
                })
        }
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
                .notKept, place: place, reason: "the override is in effect, but ends with the process: \(error)")
        }
    }
}
