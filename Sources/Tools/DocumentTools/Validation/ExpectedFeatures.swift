import TrackerAccessors
package import TrackerFeatures

/// The features that code reads, from the file of its generated accessors. A document must keep their types.
package struct ExpectedFeatures {
    private let name: String
    private let features: [FeatureDefinition]
    /// The version if the file is a document.
    private let version: Int?

    /// Reads the file from which accessors are generated.
    /// - Parameters:
    ///   - text: The file's bytes.
    ///   - name: The file's name in findings.
    /// - Throws: The first error with its place.
    package init(_ text: [UInt8], named name: String) throws(ConfigurationError) {
        (self.name, features) = (name, try FeaturesFile(text).features)
        // The file was already read successfully.
        version = (try? JSONReader.read(text))?["configurationVersion"]?.value.int
    }

    /// The place of a finding.
    private struct Place {
        let path: String
        let node: JSONNode
        let reason: String
    }

    /// Compares a document with the features.
    /// - Parameters:
    ///   - root: The document.
    ///   - text: The document's bytes.
    /// - Returns: Errors of values that cannot be read as the types of the accessors, and warnings about missing
    ///   features and variables and about a version that grows too far.
    func findings(in root: JSONNode, _ text: [UInt8]) -> (errors: [ConfigurationError], warnings: [ConfigurationError])
    {
        var (errors, warnings): ([Place], [Place]) = ([], [])
        let all = root["features"]
        if let version, let node = root["configurationVersion"], (node.value.int ?? 0) - version > 1_000_000 {
            let reason = "it grows by more than 1,000,000, and each later document needs a higher one"
            warnings.append(Place(path: "configurationVersion", node: node, reason: reason))
        }
        for feature in features where feature.isEnabled != nil || !feature.variables.isEmpty {
            let path = "features.\(feature.name)"
            guard let node = all?[feature.name] else {
                let reason = "missing; \(name) has this feature, so the default document or the code decides it"
                warnings.append(Place(path: path, node: all ?? root, reason: reason))
                continue
            }
            for variable in feature.variables {
                let definition = node["variables"]?[variable.name]
                var values = Self.values(of: variable.name, of: feature.name, at: path, node, in: root)
                if let value = definition?["value"] {
                    values.append(("\(path).variables.\(variable.name).value", value))
                }
                if values.isEmpty {
                    let reason = "missing; \(name) has this variable, so the default document or the code decides it"
                    warnings.append(Place(path: "\(path).variables.\(variable.name)", node: node, reason: reason))
                }
                // Only the service knows the type of a decrypted value.
                if case .bool(true)? = definition?["encrypted"]?.content { continue }
                let type = variable.isEncrypted ? AccessorType.string : AccessorType(variable.value)
                for (path, node) in values where !node.isNull {
                    guard let fault = type.fault(reading: node.value) else { continue }
                    let reason = "\(fault), and the accessors of \(name) read it as \(type.name)"
                    errors.append(Place(path: path, node: node, reason: reason))
                }
            }
        }
        return (Self.placed(errors, in: text), Self.placed(warnings, in: text))
    }

    /// The values of a variable in rules and experiments, with their places.
    private static func values(
        of variable: String, of feature: String, at path: String, _ node: JSONNode, in root: JSONNode
    ) -> [(path: String, node: JSONNode)] {
        func variants(of experiment: JSONNode?, at path: String) -> [(path: String, node: JSONNode)] {
            (experiment?["variants"]?.elements ?? []).enumerated().compactMap { index, variant in
                variant["values"]?[feature]?[variable].map {
                    ("\(path).variants[\(index)].values.\(feature).\(variable)", $0)
                }
            }
        }
        let rules = (node["rules"]?.elements ?? []).enumerated().flatMap { index, rule in
            let place = "\(path).rules[\(index)]"
            return (rule["values"]?[variable].map { [("\(place).values.\(variable)", $0)] } ?? [])
                + variants(of: rule["experiment"], at: "\(place).experiment")
        }
        let experiments = (root["experiments"]?.elements ?? []).enumerated().flatMap { index, experiment in
            variants(of: experiment, at: "experiments[\(index)]")
        }
        return rules + experiments
    }

    private static func placed(_ places: [Place], in text: [UInt8]) -> [ConfigurationError] {
        let positions = TextPosition.positions(of: places.map(\.node.offset), in: text)
        return places.map { place in
            ConfigurationError(
                .wrongType, place: place.path.oneLine(most: DocumentDecoder.maxPlaceLength), reason: place.reason,
                position: positions[place.node.offset])
        }
    }
}

extension JSONNode {
    /// A member of an object; nil if this is not an object or has no such member.
    fileprivate subscript(_ name: String) -> JSONNode? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.name.isExactly(name) }?.value
    }

    fileprivate var elements: [JSONNode] { if case .array(let elements) = content { elements } else { [] } }
}

extension AccessorType {
    /// The reason why a value cannot be read as the type; nil if it can.
    fileprivate func fault(reading value: JSONValue) -> String? {
        switch self {
        case .any: nil
        case .bool: value.fault(readAs: Bool.self)
        case .int: value.fault(readAs: Int.self)
        case .double: value.fault(readAs: Double.self)
        case .string: value.fault(readAs: String.self)
        case .object: value.fault(readAs: JSONObject.self)
        case .list(.bool): value.fault(readAs: [Bool].self)
        case .list(.int): value.fault(readAs: [Int].self)
        case .list(.double): value.fault(readAs: [Double].self)
        case .list(.string): value.fault(readAs: [String].self)
        case .list: value.fault(readAs: [JSONValue].self)
        }
    }
}
