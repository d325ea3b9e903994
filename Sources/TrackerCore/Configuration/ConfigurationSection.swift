/// A group of settings of a tracker.
///
/// Every setting is optional; nil is unset, and the layer below applies. A section lists its settings once, in
/// ``fields``. Reading, merging and explaining use that list.
package protocol ConfigurationSection: Sendable, Equatable {
    /// The section's name without `Configuration`, as documents and explanations use it.
    static var name: String { get }

    /// All settings of the section.
    static var fields: [ConfigurationField<Self>] { get }

    /// The values of settings that no layer sets.
    static var builtIn: Self { get }

    /// Creates a section with all settings unset.
    init()
}

extension ConfigurationSection {
    /// The field of a key path; nil for a property that is not a setting, as one that a user's extension computes.
    static func field(_ keyPath: AnyKeyPath) -> ConfigurationField<Self>? {
        fields.first { $0.keyPath == keyPath }
    }

    /// The field that a document calls by this name.
    package static func field(named name: String) -> ConfigurationField<Self>? {
        fields.first { $0.name == name } ?? fields.first { $0.aliases.contains(name) }
    }

    /// The names of the fields that have another value than in another section.
    package func fieldsThatDiffer(from other: Self) -> [String] {
        guard self != other else { return [] }
        return Self.fields.filter { field in
            var mixed = self
            field.copy(other, &mixed)
            return mixed != self
        }.map(\.name)
    }

    /// Checks values that code gives, before ``clamp(warn:)``; may read the disk.
    /// - Throws: A ``ConfigurationError`` with the place of the first that cannot be used, such as `network.timeout`.
    package func check() throws(ConfigurationError) {
        for field in Self.fields { try field.check(self) }
    }

    /// Moves every number into its range.
    /// - Parameter warn: Receives what was changed: a field's name and a sentence.
    package mutating func clamp(warn: (_ field: String, _ reason: String) -> Void) {
        for field in Self.fields { field.clamp(&self) { warn(field.name, $0) } }
    }
}
