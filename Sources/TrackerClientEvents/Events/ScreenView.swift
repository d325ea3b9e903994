public import FoundationEssentials
public import TrackerCore

/// The view of a screen, `iglu:com.snowplowanalytics.mobile/screen_view/jsonschema/1-0-0`.
///
/// A view has an id, and each event that tracks it has another one.
///
/// ```swift
/// tracker.track(ScreenView(name: "home", type: "feed"))
/// ```
public struct ScreenView: Event, Hashable {
    /// The previous screen.
    public struct Previous: Sendable, Hashable {
        fileprivate let name: String
        fileprivate let id: EventID?
        fileprivate let type: String?

        /// Creates a description of a screen.
        /// - Parameters:
        ///   - name: The screen's name.
        ///   - id: The id of the screen's view; nil, the default, if it is not known.
        ///   - type: The kind of screen, such as `feed`; nil by default.
        public init(name: String, id: EventID? = nil, type: String? = nil) {
            (self.name, self.id, self.type) = (name, id, type)
        }
    }

    /// The view as self-describing data.
    public let content: EventContent

    /// Creates an event.
    /// - Parameters:
    ///   - name: The screen's name.
    ///   - type: The kind of screen, such as `feed`; nil by default.
    ///   - transitionType: The way to the screen, such as `push`; nil by default.
    ///   - id: The id of the view; a random one by default.
    ///   - previous: The previous screen; nil by default.
    public init(
        name: String, type: String? = nil, transitionType: String? = nil, id: EventID = EventID(UUID()),
        previous: Previous? = nil
    ) {
        content = .selfDescribing(
            schema: "iglu:com.snowplowanalytics.mobile/screen_view/jsonschema/1-0-0",
            data: JSONObject(data: [
                "name": name, "id": id.description, "type": type, "transitionType": transitionType,
                "previousName": previous?.name, "previousId": previous?.id?.description, "previousType": previous?.type,
            ]))
    }
}
