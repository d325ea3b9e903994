/// One setting of a section: its name in documents, its place in the struct and its bounds.
///
/// A class, because lists of fields are read for every tracker, and a copy of a struct would copy all its closures.
package final class ConfigurationField<Section: ConfigurationSection>: Sendable {
    /// The setting's key in a document.
    package let name: String

    /// Other keys that documents use for it.
    package let aliases: [String]

    /// Whether documents may set it; other settings can only be set in code.
    package let isInDocuments: Bool

    /// A warning for the document's author if the setting has a value other than false, as a sentence; nil if none.
    package let caveat: String?

    package let keyPath: any PartialKeyPath<Section> & Sendable
    package let copy: @Sendable (_ source: Section, _ target: inout Section) -> Void
    /// Copies the value from a lower layer if it is not set.
    let fill: @Sendable (_ target: inout Section, _ source: Section) -> Void
    /// Whether the section has a built-in value for it.
    let isBuiltIn: Bool
    /// The value as explanations show it, without secrets.
    package let json: @Sendable (Section) -> JSONValue?
    let clamp: @Sendable (inout Section, _ warn: (String) -> Void) -> Void
    /// Returns why code may not set the value, as a sentence; nil if it may. May read from disk.
    let fault: @Sendable (Section) -> String?

    /// Reads the setting from a document's value; null unsets it.
    package let read: @Sendable (JSONNode, inout Section, _ warn: (String) -> Void) throws(FieldMismatch) -> Void

    /// Describes a setting.
    /// - Parameters:
    ///   - name: Its key in a document.
    ///   - keyPath: Its place in the struct.
    ///   - bounds: The allowed range; a value outside is clamped, with a warning.
    ///   - isInDocuments: Whether documents may set it.
    ///   - caveat: A warning for the document's author if the setting is set; nil if there is none.
    ///   - fault: Returns why code may not set a value, as a sentence; nil if it may.
    package convenience init<Value: FieldValue & Comparable>(
        _ name: String,
        _ keyPath: any WritableKeyPath<Section, Value?> & Sendable,
        within bounds: ClosedRange<Value>,
        isInDocuments: Bool = true,
        caveat: String? = nil,
        fault: @escaping @Sendable (Value) -> String? = { _ in nil }
    ) {
        self.init(
            name, keyPath, isInDocuments: isInDocuments, caveat: caveat,
            nearest: { value in
                let nearest = min(max(value, bounds.lowerBound), bounds.upperBound)
                guard nearest != value else { return nil }
                let (least, most) = (bounds.lowerBound.json, bounds.upperBound.json)
                return (nearest, "\(value.json) is outside \(least)…\(most); \(nearest.json) is used")
            },
            fault: fault)
    }

    /// Describes a setting without bounds.
    /// - Parameters:
    ///   - name: Its key in a document.
    ///   - keyPath: Its place in the struct.
    ///   - aliases: Other keys that documents use for it.
    ///   - isInDocuments: Whether documents may set it.
    ///   - caveat: A warning for the document's author if the setting has a value other than false; nil if there is
    ///     none.
    ///   - nearest: Returns nil for a usable value, otherwise a usable value and the reason.
    ///   - fault: Returns why code may not set a value, as a sentence; nil if it may. May read from disk.
    ///   - shown: The value as explanations show it, without secrets.
    package init<Value: FieldValue>(
        _ name: String,
        _ keyPath: any WritableKeyPath<Section, Value?> & Sendable,
        aliases: [String] = [],
        isInDocuments: Bool = true,
        caveat: String? = nil,
        nearest: @escaping @Sendable (Value) -> (value: Value, reason: String)? = { _ in nil },
        fault: @escaping @Sendable (Value) -> String? = { _ in nil },
        shown: @escaping @Sendable (Value) -> JSONValue = { $0.json }
    ) {
        self.name = name
        self.keyPath = keyPath
        self.aliases = aliases
        self.isInDocuments = isInDocuments
        self.caveat = caveat
        copy = { source, target in target[keyPath: keyPath] = source[keyPath: keyPath] }
        fill = { target, source in
            if target[keyPath: keyPath] == nil { target[keyPath: keyPath] = source[keyPath: keyPath] }
        }
        isBuiltIn = Section.builtIn[keyPath: keyPath] != nil
        json = { $0[keyPath: keyPath].map(shown) }
        clamp = { section, warn in
            guard let value = section[keyPath: keyPath], let change = nearest(value) else { return }
            section[keyPath: keyPath] = change.value
            warn(change.reason)
        }
        self.fault = { $0[keyPath: keyPath].flatMap(fault) }
        read = { (node: JSONNode, section: inout Section, warn: (String) -> Void) throws(FieldMismatch) in
            var value = node.isNull ? nil : try Value.read(node, warn: warn)
            if let change = value.flatMap(nearest) {
                value = change.value
                warn(change.reason)
            }
            section[keyPath: keyPath] = value
        }
    }

    /// Checks the value set in code; may read from disk.
    func check(_ section: Section) throws(ConfigurationError) {
        guard let reason = fault(section) else { return }
        throw ConfigurationError(.outOfRange, place: "\(Section.name).\(name)", reason: reason)
    }

    /// Whether the setting has the name or alias.
    func isNamed(by name: String) -> Bool { name.isExactly(self.name) || aliases.contains(name) }
}
