import DocumentTools
import TrackerConfig

extension WebConsole {
    /// What the document in use changed of the one before it.
    var difference: JSONObject {
        let status = setup.updater.status
        guard let previous = status.previousText, let new = status.active?.document else { return ["isKnown": false] }
        let scopes = setup.updater.parts.scopes
        let old: Document?
        if previous.isEmpty {
            old = nil
        } else {
            // What was in use was read from these bytes and can be read from them again; if not, nothing is known of it.
            guard let document = try? Document(previous) else { return ["isKnown": false] }
            old = document
        }
        let layers = setup.features.store.layers
        let difference = ConfigurationDifference(
            from: old, to: new, default: scopes.default, defaultVersion: scopes.defaultVersion
        ) { layers.isSecret($0) }
        return JSONObject([("isKnown", true)] + difference.json.members.map { ($0.name, $0.value) })
    }
}
