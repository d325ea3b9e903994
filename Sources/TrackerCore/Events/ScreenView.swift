/// A screen was viewed, `iglu:com.snowplowanalytics.mobile/screen_view/jsonschema/1-0-0`.
///
/// The tracker gives each view an id and names the screen before it; with
/// ``TrackerConfiguration/screenContext`` the events after it carry the screen as an entity.
public struct ScreenView: Event, Hashable {
    /// The screen's name.
    public var name: String

    /// The kind of screen, as `feed`.
    public var type: String?

    /// How it was reached, as `push`.
    public var transitionType: String?

    /// Creates an event.
    /// - Parameters:
    ///   - name: The screen's name.
    ///   - type: The kind of screen, as `feed`.
    ///   - transitionType: How it was reached, as `push`.
    public init(name: String, type: String? = nil, transitionType: String? = nil) {
        self.name = name
        self.type = type
        self.transitionType = transitionType
    }

    /// The view itself; the tracker completes it.
    public var content: EventContent { .screenView(self) }
}

extension ScreenView {
    static let schema = "iglu:com.snowplowanalytics.mobile/screen_view/jsonschema/1-0-0"
}
