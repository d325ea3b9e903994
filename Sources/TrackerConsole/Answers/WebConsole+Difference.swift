import DocumentTools
import TrackerConfig

extension WebConsole {
    /// The difference between two documents: those named by `?from=` and `?to=`, by default the one in use and its
    /// predecessor.
    func difference(_ request: ConsoleRequest) -> JSONObject {
        let kept = KeptDocuments(setup)
        let to = request.query("to") ?? "current"
        let from = request.query("from") ?? kept.before?.id
        let versions = kept.entries.map { entry -> JSONValue in
            let reversion = entry.document.flatMap { setup.updater.parts.versions.reversion(of: $0.version) }
            return [
                "id": .string(entry.id), "version": JSONValue(entry.version), "isReverted": .bool(reversion != nil),
            ]
        }
        var answer: JSONObject = ["isKnown": false, "versions": .array(versions), "to": .string(to)]
        answer["from"] = from.map(JSONValue.string)
        if !kept.warnings.isEmpty { answer["warnings"] = .array(kept.warnings.map(JSONValue.string)) }
        guard let old = from.flatMap({ kept[$0] }), let new = kept[to]?.document else { return answer }
        let documents = setup.updater.parts.documents
        let layers = setup.features.store.layers
        let difference = ConfigurationDifference(
            from: old.document, to: new, default: documents.default, defaultVersion: documents.defaultVersion
        ) { layers.isSecret($0) }
        answer["isKnown"] = true
        return JSONObject((answer.members + difference.json.members).map { ($0.name, $0.value) })
    }
}
