/// The settings of one section of a tracker, which can be read and changed while it runs.
///
/// A value that is set here has precedence over every later document, until ``reset(_:)`` is called or the tracker is
/// removed. Setting nil clears: the setting then has its built-in value, whatever the layers below contain.
///
/// ```swift
/// try tracker.subject.set(\.userID, to: "u-1")
/// print(tracker.subject.explain(\.userID).source)      // runtime
/// tracker.subject.reset(\.userID)
/// ```
@dynamicMemberLookup
public struct RuntimeControl<Section: Sendable>: Sendable {
    let tracker: Tracker
    let access: SectionAccess<Section>

    /// The setting's value in effect. ``set(_:to:)`` changes it.
    public subscript<Value>(dynamicMember keyPath: WritableKeyPath<Section, Value?>) -> Value? {
        effective[keyPath: keyPath]
    }

    /// The effective values of all settings of the section.
    ///
    /// A forked child reads the values in effect at the fork; all are nil if another thread was changing the tracker
    /// then.
    public var effective: Section {
        guard let settings = tracker.access(\.settings) else { return access.empty }
        return settings[keyPath: access.merged]
    }

    /// Changes a setting; a number outside its bounds is clamped.
    /// - Parameters:
    ///   - keyPath: The setting.
    ///   - value: The value; nil clears it.
    /// - Throws: ``ConfigurationError`` if the tracker cannot work with the value, such as a collector's URL that is
    ///   cleared or unusable, or a certificate file that cannot be read.
    public func set<Value>(_ keyPath: WritableKeyPath<Section, Value?>, to value: Value?) throws(ConfigurationError) {
        try access.set(tracker, keyPath) { $0[keyPath: keyPath] = value }
    }

    /// Removes the value that was set at run time, so that the layers below apply again.
    /// - Parameter keyPath: The setting.
    public func reset<Value>(_ keyPath: WritableKeyPath<Section, Value?>) {
        do throws(ConfigurationError) {
            try tracker.change { access.reset(&$0, keyPath) }
        } catch {
            tracker.settingsLog.error("a setting was not reset: \(error)")
        }
    }

    /// Returns a setting's value, the layer that it comes from and the values of lower precedence.
    /// - Parameter keyPath: The setting.
    /// - Returns: The explanation.
    public func explain<Value>(_ keyPath: WritableKeyPath<Section, Value?>) -> SettingExplanation {
        access.explain(tracker.access(\.layers) ?? TrackerLayers(), keyPath)
    }
}

/// Where a section's settings are in a tracker, and what is done with them.
final class SectionAccess<Section: Sendable>: Sendable {
    /// The section without settings.
    let empty: Section
    let merged: any KeyPath<EffectiveSettings, Section> & Sendable
    let set: @Sendable (Tracker, PartialKeyPath<Section>, (inout Section) -> Void) throws(ConfigurationError) -> Void
    let reset: @Sendable (inout TrackerLayers, PartialKeyPath<Section>) -> Void
    let explain: @Sendable (TrackerLayers, PartialKeyPath<Section>) -> SettingExplanation

    init(
        _ layers: any WritableKeyPath<TrackerLayers, Layered<Section>> & Sendable,
        _ merged: any KeyPath<EffectiveSettings, Section> & Sendable
    ) where Section: ConfigurationSection {
        empty = Section()
        self.merged = merged
        set = { (tracker, keyPath, write) throws(ConfigurationError) in
            guard let field = Section.field(keyPath) else {
                throw ConfigurationError(.unknownField, place: "\(keyPath)", reason: "this property is no setting")
            }
            var section = Section()
            write(&section)
            try section.check()
            section.clamp { field, reason in
                tracker.settingsLog.warning("\(Section.name).\(field): \(reason)")
            }
            let clamped = section
            let now = tracker.pipeline.time.wallTime
            try tracker.change { $0[keyPath: layers].set(field, from: clamped, at: now) }
        }
        reset = { all, keyPath in
            guard let field = Section.field(keyPath) else { return }
            all[keyPath: layers].reset(field)
        }
        explain = { all, keyPath in
            let field = Section.field(keyPath)
            return SettingExplanation(
                field: "\(Section.name).\(field?.name ?? "\(keyPath)")",
                field.map { all[keyPath: layers].candidates($0) } ?? [], origin: all.origin)
        }
    }
}

private let networkAccess = SectionAccess<NetworkConfiguration>(\.network, \.network)
private let trackerAccess = SectionAccess<TrackerConfiguration>(\.tracker, \.tracker)
private let subjectAccess = SectionAccess<SubjectConfiguration>(\.subject, \.subject)
private let sessionAccess = SectionAccess<SessionConfiguration>(\.session, \.session)
private let emitterAccess = SectionAccess<EmitterConfiguration>(\.emitter, \.emitter)

extension Tracker {
    /// How events reach the collector.
    public var network: RuntimeControl<NetworkConfiguration> {
        RuntimeControl(tracker: self, access: networkAccess)
    }

    /// What the tracker attaches to events.
    public var settings: RuntimeControl<TrackerConfiguration> {
        RuntimeControl(tracker: self, access: trackerAccess)
    }

    /// The subject of events that have none of their own.
    public var subject: RuntimeControl<SubjectConfiguration> {
        RuntimeControl(tracker: self, access: subjectAccess)
    }

    /// When a session ends.
    public var session: RuntimeControl<SessionConfiguration> {
        RuntimeControl(tracker: self, access: sessionAccess)
    }

    /// How events are stored and sent.
    public var emitter: RuntimeControl<EmitterConfiguration> {
        RuntimeControl(tracker: self, access: emitterAccess)
    }
}
