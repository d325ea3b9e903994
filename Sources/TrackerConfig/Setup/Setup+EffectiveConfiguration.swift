extension Setup {
    /// The effective configuration in the form of a document: the bundles with all their settings, including settings
    /// of code but not secrets, and the meta.
    public var effectiveConfiguration: JSONObject {
        let active = updater.status.active
        let bundles = registry.trackers.sorted { $0.key < $1.key }.map { JSONValue.object($0.value.effectiveBundle) }
        var document: JSONObject = [
            "$schema": "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion": active?.version.map(JSONValue.int) ?? .null,
            "configurationBundle": .array(bundles),
        ]
        if let meta = active?.meta, !meta.isEmpty { document["meta"] = .object(meta) }
        return document
    }
}
