public import FoundationEssentials

/// The overrides of features, which have the highest precedence and can be changed while the service runs.
///
/// ```swift
/// let expiry = Date(timeIntervalSinceNow: 3600)
/// try setup.features.overrides.set(
///     5, for: "checkout", variable: "retryLimit", by: "dana", note: "INC-412", expiry: expiry)
/// try setup.features.overrides.setEnabled(false, for: "checkout")
/// try setup.features.overrides.remove("checkout", variable: "retryLimit")
/// ```
///
/// Overrides survive every refresh, and also a restart if ``FeatureOptions/overridesFile`` names a file. They are in
/// effect when a call returns, even if it throws because the file cannot be written; then they last until the process
/// ends, and are written with the next successful change. ``Features/reload()`` applies changes of the file, but keeps
/// overrides that could not be written, and keeps all if the file is missing. There are at most 10,000 overrides. Each
/// change is a line of the log at ``LogLevel/info``, without the values of encrypted variables.
///
/// An override may be set before the document that has its feature or experiment, so a name that no source has is not
/// an error: the first use of each name is a warning in the log, and each use counts in ``Features/unknownNames``.
public final class FeatureOverrides: Sendable {
    let file: OverridesFile?
    let store: FeatureStore
    let unknownNames: MissCounter
    let time: any TimeSource
    let log: Log
    let timer = Locked(ExpiryTimer())
    let history = Locked(OverrideHistory())

    init(
        file: OverridesFile?, store: FeatureStore, unknownNames: MissCounter = MissCounter(), time: any TimeSource,
        log: Log
    ) {
        (self.file, self.store, self.unknownNames, self.time, self.log) = (file, store, unknownNames, time, log)
    }

    /// The overrides in effect, with their authors, times, reasons and expiries: features with their variables by name,
    /// then experiments.
    public var entries: [FeatureOverride] { store.layers.overrideEntries }

    /// The last changes of overrides since the start, the newest first; at most 50.
    package var changes: [OverrideChange] {
        let layers = store.layers
        return history.withLock { $0.changes }.map { change in
            change.override.map(layers.hidesValue) == true ? change.withoutValues() : change
        }
    }

    /// The overridden features and variables, sorted by name.
    public var features: [FeatureDefinition] { store.layers.overrides.definitions }

    /// The forced variants, by the experiment's id.
    public var variants: [String: String] {
        let forced = store.layers.overrides.inOrder.compactMap { override in
            override.experiment.map { ($0, override.value?.string ?? "") }
        }
        return Dictionary(forced) { first, _ in first }
    }

    /// Overrides a variable; null removes the override.
    /// - Parameters:
    ///   - value: The value.
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - by: The author of the override; nil, the default, if it is unknown. The SDK does not verify it.
    ///   - note: The reason for the override, such as the number of an incident; nil by default.
    ///   - expiry: The time when the override expires, by the setup's clock, in the future; nil, the default, keeps it
    ///     until it is removed.
    /// - Throws: ``FeatureError`` if the value cannot be encoded as JSON, if the expiry is not in the future, or if the
    ///   file cannot be written.
    public func set<Value: Encodable>(
        _ value: Value, for feature: String, variable: String, by: String? = nil, note: String? = nil,
        expiry: Date? = nil
    ) throws(FeatureError) {
        let value = try JSONValue(override: value, at: "\(feature).\(variable)")
        try apply(
            FeatureOverride(
                feature: feature, variable: variable, value: value == .null ? .none : value, by: by, note: note,
                expiry: expiry))
    }

    /// Overrides whether a feature is enabled.
    /// - Parameters:
    ///   - isEnabled: Whether the feature is enabled.
    ///   - feature: The feature's name.
    ///   - by: The author of the override; nil, the default, if it is unknown. The SDK does not verify it.
    ///   - note: The reason for the override, such as the number of an incident; nil by default.
    ///   - expiry: The time when the override expires, by the setup's clock, in the future; nil, the default, keeps it
    ///     until it is removed.
    /// - Throws: ``FeatureError`` if the expiry is not in the future, or if the file cannot be written.
    public func setEnabled(
        _ isEnabled: Bool, for feature: String, by: String? = nil, note: String? = nil, expiry: Date? = nil
    ) throws(FeatureError) {
        try apply(FeatureOverride(feature: feature, value: .bool(isEnabled), by: by, note: note, expiry: expiry))
    }

    /// Forces a variant on all units, for testers. Forced variants record no exposure.
    /// - Parameters:
    ///   - variant: The variant's name, which has no effect if the experiment does not have it. nil removes the
    ///     override.
    ///   - experiment: The experiment's id.
    ///   - by: The author of the override; nil, the default, if it is unknown. The SDK does not verify it.
    ///   - note: The reason for the override, such as the number of an incident; nil by default.
    ///   - expiry: The time when the override expires, by the setup's clock, in the future; nil, the default, keeps it
    ///     until it is removed.
    /// - Throws: ``FeatureError`` if the expiry is not in the future, or if the file cannot be written.
    public func force(
        _ variant: String?, of experiment: String, by: String? = nil, note: String? = nil, expiry: Date? = nil
    ) throws(FeatureError) {
        let value = variant.map(JSONValue.string)
        try apply(FeatureOverride(experiment: experiment, value: value, by: by, note: note, expiry: expiry))
    }

    /// Removes an override, so that the next source in precedence applies again.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name; nil for whether the feature is enabled.
    ///   - by: The author of the removal, for the log and the history; nil by default.
    /// - Throws: ``FeatureError`` if the file cannot be written.
    public func remove(_ feature: String, variable: String? = nil, by: String? = nil) throws(FeatureError) {
        try apply(FeatureOverride(feature: feature, variable: variable, by: by))
    }

    /// Removes all overrides and forced variants.
    /// - Parameter by: The author of the removal, for the log and the history; nil by default.
    /// - Throws: ``FeatureError`` if the file cannot be written.
    public func removeAll(by: String? = nil) throws(FeatureError) {
        if let failure = clear(by: by).failure { throw failure }
    }

    private func apply(_ override: FeatureOverride) throws(FeatureError) {
        if let failure = try set(override).failure { throw failure }
    }
}
