/// A view of a screen, as the event that it is and as the tracker completes it.
package struct ScreenDescription: Sendable, Hashable {
    static let schema = "iglu:com.snowplowanalytics.mobile/screen_view/jsonschema/1-0-0"

    /// The screen before another one.
    package struct Previous: Sendable, Hashable {
        let name: String
        let id: EventID?
        let type: String?

        package init(name: String, id: EventID?, type: String?) {
            (self.name, self.id, self.type) = (name, id, type)
        }
    }

    let name: String
    let type: String?
    let transitionType: String?
    /// nil takes the event's id.
    let id: EventID?
    /// nil leaves it to the tracker.
    let previous: Previous?

    package init(name: String, type: String?, transitionType: String?, id: EventID?, previous: Previous?) {
        (self.name, self.type, self.transitionType) = (name, type, transitionType)
        (self.id, self.previous) = (id, previous)
    }

    /// The data of the event.
    var data: JSONObject {
        JSONObject(present: [
            ("name", .string(name)),
            ("id", (id?.description).map(JSONValue.string)),
            ("type", type.map(JSONValue.string)),
            ("transitionType", transitionType.map(JSONValue.string)),
            ("previousName", (previous?.name).map(JSONValue.string)),
            ("previousId", (previous?.id?.description).map(JSONValue.string)),
            ("previousType", (previous?.type).map(JSONValue.string)),
        ])
    }
}
