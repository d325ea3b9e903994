extension Console {
    /// What the document in use changed of the one before it.
    var difference: JSONObject {
        get async {
            let (previous, active) = await setup.cycle.documents
            guard let previous, let new = active?.document else { return ["isKnown": false] }
            let scopes = setup.cycle.parts.scopes
            let old: Document?
            if previous.isEmpty {
                old = nil
            } else if let document = try? Document(previous) {
                old = document
            } else {
                return ["isKnown": false]
            }
            let difference = ConfigurationDifference(
                from: old, to: new, default: scopes.default, defaultVersion: scopes.defaultVersion)
            return JSONObject([("isKnown", true)] + difference.json.members.map { ($0.name, $0.value) })
        }
    }
}

extension ConfigurationCycle {
    /// The document before the active one, and the active one.
    fileprivate var documents: (previous: [UInt8]?, active: ActiveConfiguration?) { (previousText, active) }
}
