/// A section, with the type erased: where bundles and layers keep it, and how its fields are reached by name.
package protocol AnySection: Sendable {
    /// The section's name without `Configuration`.
    var name: String { get }

    /// The name of a field by any of its names; nil if there is none.
    func canonicalName(_ name: String) -> String?

    /// Reads the section's object, without the members that are null, and puts the section into a bundle.
    func read(
        _ members: [JSONNode.Member], _ bundle: inout ConfigurationBundle,
        _ note: (JSONNode.Member, ReadOutcome) throws(ConfigurationError) -> Void
    ) throws(ConfigurationError)

    /// Calls `note` for each field of a bundle that is set, and not to false, and has a caveat.
    func caveats(_ bundle: ConfigurationBundle, _ note: (_ field: String, _ reason: String) -> Void)

    /// Checks the values that code gives a bundle's section; may read the disk.
    func check(_ bundle: ConfigurationBundle) throws(ConfigurationError)

    /// Clamps all numbers of a bundle's section.
    func clamp(_ bundle: inout ConfigurationBundle, _ warn: (_ field: String, _ reason: String) -> Void)

    /// Explains every field.
    func explain(_ layers: TrackerLayers) -> [SettingExplanation]

    /// Explains the field of a key path.
    func explain(_ layers: TrackerLayers, _ keyPath: AnyKeyPath) -> SettingExplanation

    /// The names of the fields that have different values in effect.
    func differing(_ first: TrackerLayers, _ second: TrackerLayers) -> [String]

    /// The settings in effect that documents may set, as they write them; those that are unset are left out.
    func effective(_ layers: TrackerLayers) -> JSONObject

    /// Returns what sets a field at run time to a document's value; the field must be known. May read the disk.
    func setter(
        _ name: String, to node: JSONNode, at time: Int64, _ warn: (String) -> Void
    ) throws(ConfigurationError) -> (inout TrackerLayers) -> Void

    /// Returns what sets the field of a key path at run time to its value in a section. May read the disk.
    func setter(
        _ keyPath: AnyKeyPath, from section: any Sendable, at time: Int64, _ warn: (String) -> Void
    ) throws(ConfigurationError) -> (inout TrackerLayers) -> Void

    /// Forgets a field's runtime value; the field must be known.
    func reset(_ name: String, _ layers: inout TrackerLayers)

    /// Forgets the runtime value of the field of a key path.
    func reset(_ keyPath: AnyKeyPath, _ layers: inout TrackerLayers)
}

/// The result of reading a key of a section's object.
package enum ReadOutcome {
    /// It was read, with warnings.
    case value([String])
    /// There is no such field in documents.
    case unknown
    /// The field of this name stands there by another one of its names too.
    case repeated(String)
    /// The value has the wrong type.
    case mismatch(FieldMismatch)
}

extension AnySection {
    /// The section's key in a bundle.
    package var key: String { "\(name)Configuration" }
}

extension ConfigurationBundle {
    /// The sections, in the order in which documents list them.
    package static let sections: [any AnySection] = [
        SectionAccess(\.network, \.network), SectionAccess(\.tracker, \.tracker), SectionAccess(\.subject, \.subject),
        SectionAccess(\.session, \.session), SectionAccess(\.emitter, \.emitter),
    ]
}
