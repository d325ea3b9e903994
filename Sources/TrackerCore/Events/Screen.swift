/// The screen that was viewed last, and what it gives to events.
///
/// A class, because every event passes two on, and a view is large to copy.
final class Screen: Sendable {
    let view: ScreenDescription
    let id: EventID

    /// - Parameters:
    ///   - view: The view.
    ///   - event: The id of the view's event, which the screen has if the view has no id.
    init(_ view: ScreenDescription, event: EventID) {
        self.view = view
        id = view.id ?? event
    }

    /// The screen as the one before another.
    private var previous: ScreenDescription.Previous {
        ScreenDescription.Previous(name: view.name, id: id, type: view.type)
    }

    /// The data of a screen view's event.
    /// - Parameter previous: The user's screen before it, if the view names none.
    /// - Returns: The data.
    func eventData(previous: Screen?) -> JSONObject {
        ScreenDescription(
            name: view.name, type: view.type, transitionType: view.transitionType, id: id,
            previous: view.previous ?? previous?.previous
        ).data
    }

    /// The screen as an entity, `iglu:com.snowplowanalytics.mobile/screen/jsonschema/1-0-0`.
    var entity: Entity {
        var data: JSONObject = ["name": .string(view.name), "id": .string(id.description)]
        data["type"] = view.type.map(JSONValue.string)
        return Entity(schema: "iglu:com.snowplowanalytics.mobile/screen/jsonschema/1-0-0", data: data)
    }
}
