import TrackerCore

extension DocumentReader {
    private static let sections = ConfigurationBundle.sections.map { (key: $0.key, type: $0) }

    mutating func bundles(_ node: JSONNode) throws(ConfigurationError) -> [ConfigurationBundle] {
        let elements = try decoder.list(node)
        var bundles: [ConfigurationBundle] = []
        bundles.reserveCapacity(elements.count)
        var indices = [ExactText: Int](minimumCapacity: elements.count)
        for (index, element) in elements.enumerated() {
            do throws(ConfigurationError) {
                let bundle = try self.bundle(element)
                if let first = indices.updateValue(index, forKey: ExactText(bundle.namespace)) {
                    throw decoder.fault(
                        .duplicateNamespace,
                        "\(bundle.namespace.excerpt) is the namespace of configurationBundle[\(first)] too",
                        element, at: ".namespace")
                }
                bundles.append(bundle)
            } catch { try decoder.note(error) }
        }
        return bundles
    }

    private mutating func bundle(_ node: JSONNode) throws(ConfigurationError) -> ConfigurationBundle {
        let members = try decoder.object(node)
        let name = try decoder.required("namespace", members, node)
        let namespace = try decoder.text(name)
        if let fault = ConfigurationBundle.fault(ofNamespace: namespace) {
            throw decoder.fault(.outOfRange, fault, name)
        }
        var bundle = ConfigurationBundle(namespace: namespace)
        for member in members where member.name != "namespace" && !member.isNull {
            if let section = Self.sections.first(where: { member.name.isExactly($0.key) })?.type {
                do throws(ConfigurationError) {
                    try read(section, member.value, into: &bundle)
                } catch { try decoder.note(error) }
            } else {
                decoder.warn(DocumentDecoder.unknownKey, member.nameOffset)
            }
        }
        return bundle
    }

    private mutating func read(
        _ section: any ConfigurationSection.Type, _ node: JSONNode, into bundle: inout ConfigurationBundle
    ) throws(ConfigurationError) {
        let isNetwork = section.name == NetworkConfiguration.name
        let members = try decoder.object(node)
        try section.read(members, &bundle) { (member, reading) throws(ConfigurationError) in
            switch reading {
            case .value(let warnings):
                for warning in warnings { decoder.warn(warning, member.value.offset) }
                if isNetwork, member.name == "endpoint" { try checkEndpoint(member.value) }
            case .unknown: decoder.warn(DocumentDecoder.unknownKey, member.nameOffset)
            case .repeated(let name):
                try decoder.note(
                    decoder.fault(
                        .malformed, "the same setting stands here as \(name) too", member.value))
            case .mismatch(let fault):
                try decoder.note(decoder.fault(.wrongType, fault.reason, fault.found))
            }
        }
        if purpose == .remote, isNetwork, members["endpoint"]?.isNull ?? true {
            throw decoder.missing("endpoint", node)
        }
    }

    private mutating func checkEndpoint(_ node: JSONNode) throws(ConfigurationError) {
        // Skip checked collectors: most trackers of a document share a few.
        guard let endpoint = node.string, !usableEndpoints.contains(endpoint) else { return }
        do throws(ConfigurationError) {
            _ = try EndpointURL(collector: endpoint)
            usableEndpoints.insert(endpoint)
        } catch {
            throw decoder.fault(error.code, error.reason, node)
        }
    }
}
