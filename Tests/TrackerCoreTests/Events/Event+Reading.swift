import TrackerCore

extension Event {
    /// The data, where the event is self-describing.
    var data: JSONObject? {
        guard case .selfDescribing(_, let data) = content else { return nil }
        return data
    }

    /// The schema, where the event is self-describing.
    var schema: String? {
        guard case .selfDescribing(let schema, _) = content else { return nil }
        return schema
    }
}
