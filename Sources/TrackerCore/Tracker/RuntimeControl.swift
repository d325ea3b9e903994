/// The settings of one section of a tracker, which can be read and changed while it runs.
///
/// A value that is set here has precedence over every later document, until ``reset(_:)`` is called or the tracker is
/// removed. Setting nil clears: the setting then has its built-in value, whatever the layers below contain.
///
/// ```swift
/// tracker.subject.userID = "u-1"
/// print(tracker.subject.explain(\.userID).source)      // runtime
/// tracker.subject.reset(\.userID)
/// ```
@dynamicMemberLookup
public struct RuntimeControl<Section: ConfigurationSection>: Sendable {
    let tracker: Tracker
    let layers: any WritableKeyPath<TrackerLayers, Layered<Section>> & Sendable
    let merged: any KeyPath<EffectiveSettings, Section> & Sendable

    /// The setting's value in effect. A value that cannot be used, such as an unusable URL, is logged and ignored;
    /// ``set(_:to:)`` throws instead.
    public subscript<Value>(dynamicMember keyPath: WritableKeyPath<Section, Value?>) -> Value? {
        get { effective[keyPath: keyPath] }
        nonmutating set {
            do throws(ConfigurationError) {
                try set(keyPath, to: newValue)
            } catch {
                tracker.settingsLog.error("a setting was not changed: \(error)")
            }
        }
    }

    /// The effective values of all settings of the section.
    ///
    /// A forked child reads the values in effect at the fork; all are nil if another thread was changing the tracker
    /// then.
    public var effective: Section {
        guard let settings = tracker.access(\.settings) else { return Section() }
        return settings[keyPath: merged]
    }

    /// Changes a setting; a number outside its bounds is clamped.
    /// - Parameters:
    ///   - keyPath: The setting.
    ///   - value: The value; nil clears it.
    /// - Throws: ``ConfigurationError`` if the tracker cannot work with the value, such as a collector's URL that is
    ///   cleared or unusable, or a certificate file that cannot be read.
    public func set<Value>(_ keyPath: WritableKeyPath<Section, Value?>, to value: Value?) throws(ConfigurationError) {
        var section = Section { $0[keyPath: keyPath] = value }
        try section.check()
        section.clamp { field, reason in
            tracker.settingsLog.warning("\(Section.name).\(field): \(reason)")
        }
        let clamped = section
        let now = tracker.pipeline.time.wallTime
        try tracker.change { (all) throws(ConfigurationError) in
            try all[keyPath: layers].set(keyPath, to: clamped[keyPath: keyPath], at: now)
        }
    }

    /// Removes the value that was set at run time, so that the layers below apply again.
    /// - Parameter keyPath: The setting.
    public func reset<Value>(_ keyPath: WritableKeyPath<Section, Value?>) {
        do throws(ConfigurationError) {
            guard let field = Section.field(keyPath) else { return }
            try tracker.change { $0[keyPath: layers].reset(field) }
        } catch {
            tracker.settingsLog.error("a setting was not reset: \(error)")
        }
    }

    /// Returns a setting's value, the layer that it comes from and the values of lower precedence.
    /// - Parameter keyPath: The setting.
    /// - Returns: The explanation.
    public func explain<Value>(_ keyPath: WritableKeyPath<Section, Value?>) -> SettingExplanation {
        let all = tracker.access(\.layers) ?? TrackerLayers()
        let candidates = Section.field(keyPath).map { all[keyPath: layers].candidates($0) }
        return SettingExplanation(candidates ?? [], origin: all.origin)
    }
}

extension Tracker {
    /// How events reach the collector.
    public var network: RuntimeControl<NetworkConfiguration> {
        RuntimeControl(tracker: self, layers: \.network, merged: \.network)
    }

    /// What the tracker attaches to events.
    public var settings: RuntimeControl<TrackerConfiguration> {
        RuntimeControl(tracker: self, layers: \.tracker, merged: \.tracker)
    }

    /// The subject of events that have none of their own.
    public var subject: RuntimeControl<SubjectConfiguration> {
        RuntimeControl(tracker: self, layers: \.subject, merged: \.subject)
    }

    /// When a session ends.
    public var session: RuntimeControl<SessionConfiguration> {
        RuntimeControl(tracker: self, layers: \.session, merged: \.session)
    }

    /// How events are stored and sent.
    public var emitter: RuntimeControl<EmitterConfiguration> {
        RuntimeControl(tracker: self, layers: \.emitter, merged: \.emitter)
    }
}
