/// The screen that was viewed last, and what it gives to events.
struct Screen: Sendable {
    let view: ScreenView
    let id: EventID

    /// The data of a screen view's event.
    func eventData(previous: Screen?) -> JSONObject {
        var data: JSONObject = ["name": .string(view.name), "id": .string(id.description)]
        data["type"] = view.type.map(JSONValue.string)
        data["transitionType"] = view.transitionType.map(JSONValue.string)
        if let previous {
            data["previousName"] = .string(previous.view.name)
            data["previousId"] = .string(previous.id.description)
            data["previousType"] = previous.view.type.map(JSONValue.string)
        }
        return data
    }

    /// The screen as an entity, `iglu:com.snowplowanalytics.mobile/screen/jsonschema/1-0-0`.
    var entity: Entity {
        var data: JSONObject = ["name": .string(view.name), "id": .string(id.description)]
        data["type"] = view.type.map(JSONValue.string)
        return Entity(schema: "iglu:com.snowplowanalytics.mobile/screen/jsonschema/1-0-0", data: data)
    }
}
