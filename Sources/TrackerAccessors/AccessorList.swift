import TrackerJSON
import TrackerFeatureModel

/// The properties that features give, and why some of them cannot be.
struct AccessorList {
    /// Types that the generated text names, which a member of that name would hide.
    static let usedTypes: Set<String> = [
        "Bool", "Double", "Features", "Int", "JSONObject", "JSONValue", "OptionalVariable", "Sendable", "String",
        "Variable",
    ]

    private static let longestName = 60

    /// The properties, in the order of the file.
    private(set) var accessors: [Accessor] = []

    /// What is wrong, in the order of the file.
    private(set) var faults: [AccessorFault] = []

    private let source: AccessorSource
    private var owners: [String: Accessor] = [:]

    /// Names the properties of features.
    init(_ features: [FeatureDefinition], from source: AccessorSource) {
        self.source = source
        for feature in features {
            if let isEnabled = feature.isEnabled { addFlag(of: feature.name, isEnabled) }
            for variable in feature.variables { add(variable, of: feature.name) }
        }
    }

    /// Names that are taken.
    var names: Set<String> { Set(owners.keys) }

    private mutating func addFlag(of feature: String, _ isEnabled: Bool) {
        guard let name = SwiftIdentifier.upperCamelCase(feature) else {
            let reason = "no property can be named after the feature \(excerpt(feature)): it needs a letter or a digit"
            faults.append(AccessorFault(path: source.path(feature, nil), reason: reason))
            return
        }
        add(Accessor(name: "is\(name)Enabled", feature: feature, content: .isEnabled(isEnabled)))
    }

    private mutating func add(_ variable: VariableDefinition, of feature: String) {
        let path = source.path(feature, variable.name)
        guard !SwiftLiteral(variable.value, as: AccessorType(variable.value)).losesDigits else {
            let reason =
                "the value has an integer beyond 64 bits, which has no Swift literal here; write it as a string"
            faults.append(AccessorFault(path: path, reason: reason))
            return
        }
        if let name = variable.generatedName {
            guard SwiftIdentifier.isIdentifier(name), !Self.usedTypes.contains(name) else {
                let reason =
                    Self.usedTypes.contains(name)
                    ? "the generated name '\(name)' is a type that the accessors use"
                    : "no property can be named \(excerpt(name)): a name has letters, digits and _, no digit first"
                faults.append(AccessorFault(path: path, reason: reason))
                return
            }
            add(Accessor(name: name, feature: feature, content: .variable(variable)))
        } else if let name = SwiftIdentifier.lowerCamelCase(variable.name) {
            add(Accessor(name: name, feature: feature, content: .variable(variable)))
        } else {
            let rule = "a name begins with a letter"
            let reason = "no property can be named after \(excerpt(variable.name)): \(rule); \(source.remedy)"
            faults.append(AccessorFault(path: path, reason: reason))
        }
    }

    private mutating func add(_ accessor: Accessor) {
        let names = accessor.takenNames
        if let owner = names.compactMap({ owners[$0] }).first {
            let isSettled = accessor.variable != nil || owner.variable != nil
            let remedy = isSettled ? source.remedy : "one of the features needs another name"
            let place = source.place(owner.feature, owner.variable)
            let clash = owner.name == accessor.name ? "is there already, for" : "clashes with '\(owner.name)' of"
            let reason = "the property '\(accessor.name)' \(clash) \(place); \(remedy)"
            faults.append(AccessorFault(path: source.path(accessor.feature, accessor.variable), reason: reason))
            return
        }
        for name in names { owners[name] = accessor }
        accessors.append(accessor)
    }

    private func excerpt(_ name: String) -> String {
        "'\(name.oneLine(most: Self.longestName))'"
    }
}
