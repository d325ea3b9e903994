import TrackerJSON
import TrackerFeatureModel

/// The structs and properties that features give, and why some of them cannot be.
struct AccessorList {
    /// Types that the generated text names, which a member of that name would hide.
    static let usedTypes: Set<String> = [
        "Bool", "Double", "FeatureContext", "Features", "Int", "JSONObject", "JSONValue", "Sendable",
        "String", "TrackingContext", "Variable",
    ]

    private static let longestName = 60

    /// The features that have a property, in the order of the file.
    private(set) var groups: [AccessorGroup] = []

    /// What is wrong, in the order of the file.
    private(set) var faults: [AccessorFault] = []

    private let source: AccessorSource
    /// The features that have a property or a struct of a name.
    private var owners: [String: String] = [:]

    /// Names the properties of features.
    init(_ features: [FeatureDefinition], from source: AccessorSource) {
        self.source = source
        for feature in features where feature.isEnabled != nil || !feature.variables.isEmpty { add(feature) }
    }

    private mutating func add(_ feature: FeatureDefinition) {
        let group = group(of: feature)
        let properties = properties(of: feature)
        guard let group else { return }
        groups.append(
            AccessorGroup(
                name: group.name, typeName: group.typeName, feature: feature.name, isEnabled: feature.isEnabled,
                properties: properties))
    }

    /// The names of a feature's property and struct; nil, and a fault, if it can have none.
    private mutating func group(of feature: FeatureDefinition) -> (name: String, typeName: String)? {
        let path = source.path(feature.name, nil)
        guard let name = SwiftIdentifier.featureName(feature.name) else {
            let reason =
                "no property can be named after the feature \(excerpt(feature.name)): it needs a letter or a digit"
            faults.append(AccessorFault(path: path, reason: reason))
            return nil
        }
        var typeName = SwiftIdentifier.capitalized(name)
        if typeName == name || typeName == NamespaceNames.typeName || Self.usedTypes.contains(typeName)
            || SwiftIdentifier.isReservedType(typeName)
        {
            typeName += "Feature"
        }
        if let owner = owners[name] ?? owners[typeName] {
            let clash = "the property '\(name)' already exists, for \(source.place(owner, nil))"
            faults.append(AccessorFault(path: path, reason: "\(clash); one of the features needs another name"))
            return nil
        }
        owners[name] = feature.name
        owners[typeName] = feature.name
        return (name, typeName)
    }

    /// The properties of a feature's variables; of those that cannot be, a fault instead.
    private mutating func properties(of feature: FeatureDefinition) -> [AccessorGroup.Property] {
        var properties: [AccessorGroup.Property] = []
        // The flag has no variable.
        var owners: [String: (name: String, variable: String?)] =
            feature.isEnabled == nil ? [:] : [AccessorGroup.flag: (AccessorGroup.flag, nil)]
        for variable in feature.variables {
            let path = source.path(feature.name, variable.name)
            do throws(Refusal) {
                let property = AccessorGroup.Property(name: try name(of: variable), variable: variable)
                if let owner = property.takenNames.lazy.compactMap({ owners[$0] }).first {
                    let isSame = owner.name == property.name
                    let clash = isSame ? "already exists, for" : "clashes with '\(owner.name)' of"
                    let place = source.place(feature.name, owner.variable)
                    throw Refusal(reason: "the property '\(property.name)' \(clash) \(place); \(source.remedy)")
                }
                for name in property.takenNames { owners[name] = (property.name, variable.name) }
                properties.append(property)
            } catch {
                faults.append(AccessorFault(path: path, reason: error.reason))
            }
        }
        return properties
    }

    private struct Refusal: Error {
        let reason: String
    }

    private func name(of variable: VariableDefinition) throws(Refusal) -> String {
        guard let name = variable.generatedName else {
            if let name = SwiftIdentifier.lowerCamelCase(variable.name) { return name }
            let rule = "a name begins with a letter"
            throw Refusal(
                reason: "no property can be named after \(excerpt(variable.name)): \(rule); \(source.remedy)")
        }
        guard !Self.usedTypes.contains(name) else {
            throw Refusal(reason: "the generated name '\(name)' is a type that the accessors use")
        }
        guard SwiftIdentifier.isIdentifier(name) else {
            let rule = "a name has letters, digits and _, no digit first"
            throw Refusal(reason: "no property can be named \(excerpt(name)): \(rule)")
        }
        return name
    }

    private func excerpt(_ name: String) -> String {
        "'\(name.oneLine(most: Self.longestName))'"
    }
}
