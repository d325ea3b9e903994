extension DocumentReader {
    mutating func bundles(_ node: JSONNode) throws(ConfigurationError) -> [ConfigurationBundle] {
        var bundles: [ConfigurationBundle] = []
        var places: [ExactText: String] = [:]
        for (index, element) in try decoder.list(node, "configurationBundle").enumerated() {
            let place = "configurationBundle[\(index)]"
            let bundle = try self.bundle(element, place)
            if let first = places.updateValue(place, forKey: ExactText(bundle.namespace)) {
                throw decoder.fault(
                    .duplicateNamespace, "\(place).namespace",
                    "\(bundle.namespace.excerpt) is the namespace of \(first) too",
                    element)
            }
            bundles.append(bundle)
        }
        return bundles
    }

    private mutating func bundle(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> ConfigurationBundle {
        let members = try decoder.object(node, place)
        let name = try decoder.required("namespace", members, node, place)
        let namespace = try decoder.text(name, "\(place).namespace")
        guard 1...4096 ~= namespace.unicodeScalars.count else {
            let reason = "expected 1 to 4,096 characters, found \(namespace.unicodeScalars.count)"
            throw decoder.fault(.outOfRange, "\(place).namespace", reason, name)
        }
        var bundle = ConfigurationBundle(namespace: namespace)
        for member in members where member.name != "namespace" && !member.value.isNull {
            let memberPlace = "\(place).\(member.name)"
            if let section = AnySection.all.first(where: { $0.key == member.name }) {
                try read(section, member.value, into: &bundle, memberPlace)
            } else {
                decoder.warn(memberPlace, DocumentDecoder.unknownKey, member.nameOffset)
            }
        }
        return bundle
    }

    private mutating func read(
        _ section: AnySection, _ node: JSONNode, into bundle: inout ConfigurationBundle, _ place: String
    ) throws(ConfigurationError) {
        section.touch(&bundle)
        var read: Set<String> = []
        for member in try decoder.object(node, place) where !member.value.isNull {
            // The places of most settings are never asked for.
            var memberPlace: String { "\(place).\(member.name)" }
            if let name = section.aliases[member.name], !read.insert(name).inserted {
                throw decoder.fault(
                    .malformed, memberPlace, "the same setting stands here as \(name) too", member.value)
            }
            var oddities: [String] = []
            do throws(FieldMismatch) {
                let isKnown = try section.read(member.name, member.value, &bundle) { oddities.append($0) }
                if !isKnown { decoder.warn(memberPlace, DocumentDecoder.unknownKey, member.nameOffset) }
            } catch {
                throw decoder.fault(.wrongType, memberPlace + error.path, error.reason, error.found)
            }
            for oddity in oddities { decoder.warn(memberPlace, oddity, member.value.offset) }
            if section.name == NetworkConfiguration.name, member.name == "endpoint" {
                try checkEndpoint(bundle.network?.endpoint, member.value, memberPlace)
            }
        }
        if purpose == .remote, section.name == NetworkConfiguration.name, bundle.network?.endpoint == nil {
            throw decoder.missing("\(place).endpoint", node)
        }
    }

    private mutating func checkEndpoint(
        _ endpoint: String?, _ node: JSONNode, _ place: @autoclosure () -> String
    ) throws(ConfigurationError) {
        // Most trackers of a document share a few collectors.
        guard let endpoint, !usableEndpoints.contains(endpoint) else { return }
        do throws(ConfigurationError) {
            _ = try EndpointURL(collector: endpoint)
            usableEndpoints.insert(endpoint)
        } catch {
            throw decoder.fault(error.code, place(), error.reason, node)
        }
    }
}
