/// The settings of one section of a tracker, which can be read and changed while it runs.
///
/// A value that is set here has precedence over every later document, until ``reset(_:)`` is called or the tracker is
/// removed. Setting nil clears: the setting then has its built-in value, whatever the layers below contain.
///
/// ```swift
/// try tracker.subject.set(\.userID, to: "u-1")
/// print(tracker.subject.explain(\.userID))      // "u-1" (runtime), over "anonymous" (remote, version 4)
/// tracker.subject.reset(\.userID)
/// ```
@dynamicMemberLookup
public struct RuntimeControl<Section: Sendable>: Sendable {
    let tracker: Tracker
    let access: any ConfigurationSection.Type
    let merged: any KeyPath<EffectiveSettings, Section> & Sendable

    /// The setting's value in effect. ``set(_:to:)`` changes it.
    public subscript<Value>(dynamicMember keyPath: WritableKeyPath<Section, Value?>) -> Value? {
        effective[keyPath: keyPath]
    }

    /// The effective values of all settings of the section.
    public var effective: Section { tracker.state.withLock(\.settings)[keyPath: merged] }

    /// Changes a setting; a number outside its bounds is clamped.
    /// - Parameters:
    ///   - keyPath: The setting.
    ///   - value: The value; nil clears it.
    /// - Throws: ``ConfigurationError`` if the tracker cannot work with the value, such as a collector's URL that is
    ///   cleared or unusable, or a certificate file that cannot be read.
    public func set<Value>(_ keyPath: WritableKeyPath<Section, Value?>, to value: Value?) throws(ConfigurationError) {
        var section = effective
        section[keyPath: keyPath] = value
        let log = tracker.settingsLog
        let set = try access.setter(keyPath, from: section, at: tracker.pipeline.time.wallTime) { log.warning($0) }
        try tracker.change { set(&$0) }
    }

    /// Removes the value that was set at run time, so that the layers below apply again.
    /// - Parameter keyPath: The setting.
    public func reset<Value>(_ keyPath: WritableKeyPath<Section, Value?>) {
        do throws(ConfigurationError) {
            try tracker.change { access.reset(keyPath, &$0) }
        } catch {
            tracker.settingsLog.error("a setting was not reset: \(error)")
        }
    }

    /// Returns a setting's value, the layer that it comes from, and the values of lower precedence, on one line.
    ///
    /// Secrets are left out: request headers have only their names, and URLs have neither user nor password.
    /// - Parameter keyPath: The setting.
    /// - Returns: The explanation, such as `"u-1" (runtime), over "anonymous" (remote, version 4)`.
    public func explain<Value>(_ keyPath: WritableKeyPath<Section, Value?>) -> String {
        explanation(keyPath).description
    }

    /// Returns a setting's value, the layer that it comes from and the values of lower precedence.
    package func explanation<Value>(_ keyPath: WritableKeyPath<Section, Value?>) -> SettingExplanation {
        access.explain(tracker.layers, keyPath)
    }
}

extension Tracker {
    /// The settings of the connection to the collector.
    public var network: RuntimeControl<NetworkConfiguration> {
        RuntimeControl(tracker: self, access: NetworkConfiguration.self, merged: \.network)
    }

    /// The settings of the entities and fields that the tracker attaches to events.
    public var settings: RuntimeControl<TrackerConfiguration> {
        RuntimeControl(tracker: self, access: TrackerConfiguration.self, merged: \.tracker)
    }

    /// The subject of events that have none of their own.
    public var subject: RuntimeControl<EventSubject> {
        RuntimeControl(tracker: self, access: EventSubject.self, merged: \.subject)
    }

    /// The settings of the session.
    public var session: RuntimeControl<SessionConfiguration> {
        RuntimeControl(tracker: self, access: SessionConfiguration.self, merged: \.session)
    }

    /// The settings of the event store and the emitter.
    public var emitter: RuntimeControl<EmitterConfiguration> {
        RuntimeControl(tracker: self, access: EmitterConfiguration.self, merged: \.emitter)
    }
}
