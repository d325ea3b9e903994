import TrackerCore

extension Event {
    /// The data, where the event is self-describing.
    var data: JSONObject? { schema == nil ? nil : content.data }

    /// The schema, where the event is self-describing.
    var schema: String? { content.schema }
}
