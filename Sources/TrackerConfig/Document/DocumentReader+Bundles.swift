import TrackerCore

extension DocumentReader {
    mutating func bundles(_ node: JSONNode) throws(ConfigurationError) -> [ConfigurationBundle] {
        let elements = try decoder.list(node, "configurationBundle")
        var bundles: [ConfigurationBundle] = []
        bundles.reserveCapacity(elements.count)
        var indices = [ExactText: Int](minimumCapacity: elements.count)
        for (index, element) in elements.enumerated() {
            var place: String { "configurationBundle[\(index)]" }
            do throws(ConfigurationError) {
                let bundle = try self.bundle(element, place)
                if let first = indices.updateValue(index, forKey: ExactText(bundle.namespace)) {
                    throw decoder.fault(
                        .duplicateNamespace, "\(place).namespace",
                        "\(bundle.namespace.excerpt) is the namespace of configurationBundle[\(first)] too",
                        element)
                }
                bundles.append(bundle)
            } catch { try decoder.note(error) }
        }
        return bundles
    }

    private mutating func bundle(
        _ node: JSONNode, _ place: @autoclosure DocumentDecoder.Place
    ) throws(ConfigurationError) -> ConfigurationBundle {
        let members = try decoder.object(node, place())
        let name = try decoder.required("namespace", members, node, place())
        let namespace = try decoder.text(name, "\(place()).namespace")
        if let fault = ConfigurationBundle.fault(ofNamespace: namespace) {
            throw decoder.fault(.outOfRange, "\(place()).namespace", fault, name)
        }
        var bundle = ConfigurationBundle(namespace: namespace)
        for member in members where member.name != "namespace" && !member.isNull {
            var memberPlace: String { "\(place()).\(member.name)" }
            if let section = ConfigurationBundle.sections.first(where: { member.name.isExactly($0.key) }) {
                do throws(ConfigurationError) {
                    try read(section, member.value, into: &bundle, memberPlace)
                } catch { try decoder.note(error) }
            } else {
                decoder.warn(memberPlace, DocumentDecoder.unknownKey, member.nameOffset)
            }
        }
        return bundle
    }

    private mutating func read(
        _ section: any ConfigurationSection.Type, _ node: JSONNode, into bundle: inout ConfigurationBundle,
        _ place: @autoclosure DocumentDecoder.Place
    ) throws(ConfigurationError) {
        let isNetwork = section.name == NetworkConfiguration.name
        let members = try decoder.object(node, place())
        try section.read(members, &bundle) { (member, reading) throws(ConfigurationError) in
            var memberPlace: String { "\(place()).\(member.name)" }
            switch reading {
            case .value(let warnings):
                for warning in warnings { decoder.warn(memberPlace, warning, member.value.offset) }
                if isNetwork, member.name == "endpoint" { try checkEndpoint(member.value, memberPlace) }
            case .unknown: decoder.warn(memberPlace, DocumentDecoder.unknownKey, member.nameOffset)
            case .repeated(let name):
                try decoder.note(
                    decoder.fault(
                        .malformed, memberPlace, "the same setting stands here as \(name) too", member.value))
            case .mismatch(let fault):
                try decoder.note(decoder.fault(.wrongType, memberPlace + fault.path, fault.reason, fault.found))
            }
        }
        if purpose == .remote, isNetwork, members["endpoint"]?.isNull ?? true {
            throw decoder.missing("endpoint", node, place())
        }
    }

    private mutating func checkEndpoint(
        _ node: JSONNode, _ place: @autoclosure DocumentDecoder.Place
    ) throws(ConfigurationError) {
        // Skip checked collectors: most trackers of a document share a few.
        guard let endpoint = node.string, !usableEndpoints.contains(endpoint) else { return }
        do throws(ConfigurationError) {
            _ = try EndpointURL(collector: endpoint)
            usableEndpoints.insert(endpoint)
        } catch {
            throw decoder.fault(error.code, place(), error.reason, node)
        }
    }
}
