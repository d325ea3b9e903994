/// One setting of a section: its name in documents, its place in the struct and its bounds.
///
/// A class, because lists of fields are read for every tracker, and a copy of a struct would copy all its closures.
package final class ConfigurationField<Section: ConfigurationSection>: Sendable {
    /// The setting's key in a document.
    package let name: String
    let key: StaticString

    /// Other keys that documents use for it.
    package let aliases: [String]

    /// Whether documents may set it; the others belong to code.
    package let isInDocuments: Bool

    /// What the document's author should know if the setting is true, as a sentence; nil if there is nothing.
    package let caveat: String?

    let keyPath: any PartialKeyPath<Section> & Sendable
    package let isSet: @Sendable (Section) -> Bool
    package let copy: @Sendable (_ source: Section, _ target: inout Section) -> Void
    /// Copies the value if it is set. In place, because each tracker merges all fields, and a key path takes some hundred
    /// instructions.
    let merge: @Sendable (_ source: UnsafePointer<Section>, _ target: UnsafeMutablePointer<Section>) -> Void
    /// Whether the value is true; false of other types.
    let isTrue: @Sendable (UnsafePointer<Section>) -> Bool
    /// The value as explanations show it, without secrets.
    package let json: @Sendable (Section) -> JSONValue?
    let clamp: @Sendable (inout Section, _ warn: (String) -> Void) -> Void
    /// Why code may not set the value, as a sentence; nil if it may. May read the disk.
    let fault: @Sendable (Section) -> String?

    /// Reads the setting from a document's value; null unsets it.
    package let read: @Sendable (JSONNode, inout Section, _ warn: (String) -> Void) throws(FieldMismatch) -> Void

    /// Describes a setting.
    /// - Parameters:
    ///   - name: Its key in a document.
    ///   - keyPath: Its place in the struct.
    ///   - bounds: The least and the greatest value; a value outside is clamped, with a warning.
    ///   - isInDocuments: Whether documents may set it.
    ///   - fault: Why code may not set a value, as a sentence; nil if it may.
    package convenience init<Value: FieldValue & Comparable>(
        _ name: StaticString,
        _ keyPath: any WritableKeyPath<Section, Value?> & Sendable,
        within bounds: ClosedRange<Value>,
        isInDocuments: Bool = true,
        fault: @escaping @Sendable (Value) -> String? = { _ in nil }
    ) {
        self.init(
            name, keyPath, isInDocuments: isInDocuments,
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
    ///   - caveat: What the document's author should know if the setting is true; nil if there is nothing.
    ///   - nearest: Answers nil for a value that can be used, else one that can and a sentence on why.
    ///   - fault: Why code may not set a value, as a sentence; nil if it may. May read the disk.
    ///   - shown: The value as explanations show it, without secrets.
    package init<Value: FieldValue>(
        _ name: StaticString,
        _ keyPath: any WritableKeyPath<Section, Value?> & Sendable,
        aliases: [String] = [],
        isInDocuments: Bool = true,
        caveat: String? = nil,
        nearest: @escaping @Sendable (Value) -> (value: Value, reason: String)? = { _ in nil },
        fault: @escaping @Sendable (Value) -> String? = { _ in nil },
        shown: @escaping @Sendable (Value) -> JSONValue = { $0.json }
    ) {
        self.name = name.description
        key = name
        self.keyPath = keyPath
        self.aliases = aliases
        self.isInDocuments = isInDocuments
        self.caveat = caveat
        isSet = { $0[keyPath: keyPath] != nil }
        copy = { source, target in target[keyPath: keyPath] = source[keyPath: keyPath] }
        guard let offset = MemoryLayout<Section>.offset(of: keyPath) else {
            preconditionFailure("the setting \(name) is no stored property")
        }
        merge = { source, target in
            let source = (UnsafeRawPointer(source) + offset).assumingMemoryBound(to: Value?.self)
            guard let value = source.pointee else { return }
            (UnsafeMutableRawPointer(target) + offset).assumingMemoryBound(to: Value?.self).pointee = value
        }
        isTrue = { source in
            (UnsafeRawPointer(source) + offset).assumingMemoryBound(to: Value?.self).pointee as? Bool == true
        }
        json = { $0[keyPath: keyPath].map(shown) }
        let clamp: @Sendable (inout Section, (String) -> Void) -> Void = { section, warn in
            guard let value = section[keyPath: keyPath], let change = nearest(value) else { return }
            section[keyPath: keyPath] = change.value
            warn(change.reason)
        }
        self.clamp = clamp
        self.fault = { $0[keyPath: keyPath].flatMap(fault) }
        read = { (node: JSONNode, section: inout Section, warn: (String) -> Void) throws(FieldMismatch) in
            var value = node.isNull ? nil : try Value.read(node, warn: warn)
            if let change = value.flatMap(nearest) {
                value = change.value
                warn(change.reason)
            }
            // In place, because documents have many settings, and a key path takes some hundred instructions.
            withUnsafeMutablePointer(to: &section) { section in
                (UnsafeMutableRawPointer(section) + offset).assumingMemoryBound(to: Value?.self).pointee = value
            }
        }
    }

    /// Whether a member of a section's object, which has the same key or an alias, is the setting.
    func isNamed(by member: JSONNode.Member) -> Bool {
        key.utf8CodeUnitCount <= 16 || member.isNamed(key) || hasAlias(member)
    }

    /// Whether a member of a section's object is the setting by another of its names.
    func hasAlias(_ member: JSONNode.Member) -> Bool { !aliases.isEmpty && aliases.contains(member.name) }
}
