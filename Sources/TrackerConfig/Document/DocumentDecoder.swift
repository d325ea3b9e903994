/// Builds a document's parts from its JSON and remembers what was odd.
struct DocumentDecoder {
    private static let latestVersion = 2_147_483_647
    private static let schemaName = "com.snowplowanalytics.mobile/remote_config/jsonschema/"
    private static let schemaPrefixes = [
        "http://iglucentral.com/schemas/", "https://iglucentral.com/schemas/", "iglu:",
    ]

    private(set) var warnings: [ConfigurationWarning] = []
    /// The version, as soon as it was read.
    private(set) var version: Int?
    private let text: [UInt8]
    private let purpose: Document.Purpose

    init(text: [UInt8], purpose: Document.Purpose) {
        self.text = text
        self.purpose = purpose
    }

    mutating func decode(
        _ node: JSONNode
    ) throws(ConfigurationError) -> (version: Int, bundles: [ConfigurationBundle], meta: JSONObject) {
        let members = try object(node, "")
        try checkSchema(try required("$schema", members, node, ""))
        let version = try readVersion(try required("configurationVersion", members, node, ""))
        self.version = version
        let bundles = try self.bundles(try required("configurationBundle", members, node, ""))
        var meta = JSONObject()
        for member in members where !member.value.isNull {
            switch member.name {
            case "$schema", "configurationVersion", "configurationBundle": break
            case "meta":
                _ = try object(member.value, "meta")
                meta = member.value.value.object ?? meta
            case "features", "experiments": warn(member.name, "not read by this version of the SDK", member.nameOffset)
            default: warn(member.name, "an unknown key, ignored", member.nameOffset)
            }
        }
        return (version, bundles, meta)
    }

    private func checkSchema(_ node: JSONNode) throws(ConfigurationError) {
        guard case .string(let schema) = node.content else { throw wrongType("$schema", "a string", node) }
        let name = Self.schemaPrefixes.first { schema.hasPrefix($0) }.map { schema.dropFirst($0.count) } ?? ""
        guard name.hasPrefix(Self.schemaName) else {
            throw fault(
                .unsupportedSchema, "$schema", "expected \(Self.schemaName)1-*-*, found \(schema.excerpt)", node)
        }
        let numbers = name.dropFirst(Self.schemaName.count).split(separator: "-", omittingEmptySubsequences: false)
        let isNumbered = numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }
        guard numbers.count == 3, isNumbered, numbers[0] == "1" else {
            throw fault(
                .unsupportedSchema, "$schema", "this version reads schema versions 1-*-*, not \(schema.excerpt)", node)
        }
    }

    private func readVersion(_ node: JSONNode) throws(ConfigurationError) -> Int {
        let place = "configurationVersion"
        guard case .integer(let version, _) = node.content else {
            throw fault(.wrongType, place, FieldMismatch(expected: "an integer", found: node).reason, node)
        }
        guard 0...Self.latestVersion ~= version else {
            throw fault(.outOfRange, place, "expected 0 to \(Self.latestVersion), found \(version)", node)
        }
        return version
    }

    private mutating func bundles(_ node: JSONNode) throws(ConfigurationError) -> [ConfigurationBundle] {
        guard case .array(let elements) = node.content else { throw wrongType("configurationBundle", "a list", node) }
        var bundles: [ConfigurationBundle] = []
        var places: [String: String] = [:]
        for (index, element) in elements.enumerated() {
            let place = "configurationBundle[\(index)]"
            let bundle = try self.bundle(element, place)
            if let first = places.updateValue(place, forKey: bundle.namespace) {
                throw fault(
                    .duplicateNamespace, "\(place).namespace",
                    "\(bundle.namespace.excerpt) is the namespace of \(first) too",
                    element)
            }
            bundles.append(bundle)
        }
        return bundles
    }

    private mutating func bundle(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> ConfigurationBundle {
        let members = try object(node, place)
        let name = try required("namespace", members, node, place)
        guard case .string(let namespace) = name.content else {
            throw wrongType("\(place).namespace", "a string", name)
        }
        guard 1...4096 ~= namespace.count else {
            let reason = "expected 1 to 4,096 characters, found \(namespace.count)"
            throw fault(.outOfRange, "\(place).namespace", reason, name)
        }
        var bundle = ConfigurationBundle(namespace: namespace)
        for member in members where member.name != "namespace" && !member.value.isNull {
            let memberPlace = "\(place).\(member.name)"
            if let section = SectionTable.all.first(where: { "\($0.name)Configuration" == member.name }) {
                try read(section, member.value, into: &bundle, memberPlace)
            } else {
                warn(memberPlace, "an unknown key, ignored", member.nameOffset)
            }
        }
        return bundle
    }

    private mutating func read(
        _ section: SectionTable, _ node: JSONNode, into bundle: inout ConfigurationBundle, _ place: String
    ) throws(ConfigurationError) {
        section.touch(&bundle)
        var read: Set<String> = []
        for member in try object(node, place) where !member.value.isNull {
            let memberPlace = "\(place).\(member.name)"
            if let name = section.canonicalName(member.name), !read.insert(name).inserted {
                throw fault(.malformed, memberPlace, "the same setting stands here as \(name) too", member.value)
            }
            var oddities: [String] = []
            do throws(FieldMismatch) {
                let isKnown = try section.read(member.name, member.value, &bundle) { oddities.append($0) }
                if !isKnown { warn(memberPlace, "an unknown key, ignored", member.nameOffset) }
            } catch {
                throw fault(.wrongType, memberPlace + error.path, error.reason, error.found)
            }
            for oddity in oddities { warn(memberPlace, oddity, member.value.offset) }
            if section.name == NetworkConfiguration.name, member.name == "endpoint" {
                try checkEndpoint(bundle.network?.endpoint, member.value, memberPlace)
            }
        }
        if purpose == .remote, section.name == NetworkConfiguration.name, bundle.network?.endpoint == nil {
            throw fault(.missingValue, "\(place).endpoint", "missing, and required", node)
        }
    }

    private func checkEndpoint(_ endpoint: String?, _ node: JSONNode, _ place: String) throws(ConfigurationError) {
        guard let endpoint else { return }
        do throws(ConfigurationError) {
            _ = try EndpointURL(collector: endpoint)
        } catch {
            throw fault(error.code, place, error.reason, node)
        }
    }

    private func object(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> [JSONNode.Member] {
        guard case .object(let members) = node.content else { throw wrongType(place, "an object", node) }
        return members
    }

    private func required(
        _ name: String, _ members: [JSONNode.Member], _ parent: JSONNode, _ place: String
    ) throws(ConfigurationError) -> JSONNode {
        let full = place.isEmpty ? name : "\(place).\(name)"
        guard let member = members.first(where: { $0.name == name }) else {
            throw fault(.missingValue, full, "missing, and required", parent)
        }
        return member.value
    }

    private func wrongType(_ place: String, _ expected: String, _ node: JSONNode) -> ConfigurationError {
        fault(.wrongType, place, "expected \(expected), found \(node.kind)", node)
    }

    private func fault(
        _ code: ConfigurationError.Code, _ place: String, _ reason: String, _ node: JSONNode
    ) -> ConfigurationError {
        ConfigurationError(code, place: place, reason: reason, position: TextPosition(of: node.offset, in: text))
    }

    // Positions cost a scan of the text each, so they are worked out for the first warnings only.
    private mutating func warn(_ place: String, _ reason: String, _ offset: Int) {
        let position = warnings.count < 100 ? TextPosition(of: offset, in: text) : nil
        warnings.append(ConfigurationWarning(place: place, reason: reason, position: position))
    }
}

extension JSONNode {
    fileprivate var isNull: Bool {
        if case .null = content { true } else { false }
    }
}
