public import TrackerCore

/// The view of a screen, `iglu:com.snowplowanalytics.mobile/screen_view/jsonschema/1-0-0`.
///
/// If the view has no ``id``, the tracker gives it the event's. If it has no ``previous``, the tracker names the screen that
/// its own user viewed before; a view of another user (see ``/TrackerConfig/EventSubject``) has none then. With
/// ``/TrackerConfig/TrackerConfiguration/screenContext`` the events of the tracker's own user carry the screen as an entity.
public struct ScreenView: Event, Hashable {
    /// The screen before another one.
    public struct Previous: Sendable, Hashable {
        /// The screen's name.
        public var name: String

        /// The id of the screen's view; nil if it is not known.
        public var id: EventID?

        /// The kind of screen, such as `feed`.
        public var type: String?

        /// Creates a description of a screen.
        /// - Parameters:
        ///   - name: The screen's name.
        ///   - id: The id of the screen's view; nil by default.
        ///   - type: The kind of screen, such as `feed`; nil by default.
        public init(name: String, id: EventID? = nil, type: String? = nil) {
            self.name = name
            self.id = id
            self.type = type
        }
    }

    /// The screen's name.
    public var name: String

    /// The kind of screen, such as `feed`.
    public var type: String?

    /// The way to the screen, such as `push`.
    public var transitionType: String?

    /// The id of the view; nil takes the event's id.
    public var id: EventID?

    /// The screen before it; if it is nil, the tracker chooses it.
    public var previous: Previous?

    /// Creates an event.
    /// - Parameters:
    ///   - name: The screen's name.
    ///   - type: The kind of screen, such as `feed`.
    ///   - transitionType: The way to the screen, such as `push`.
    ///   - id: The id of the view; nil, the default, takes the event's id.
    ///   - previous: The screen before it; nil, the default, leaves it to the tracker.
    public init(
        name: String, type: String? = nil, transitionType: String? = nil, id: EventID? = nil,
        previous: Previous? = nil
    ) {
        self.name = name
        self.type = type
        self.transitionType = transitionType
        self.id = id
        self.previous = previous
    }

    /// The view itself; the tracker completes it.
    public var content: EventContent {
        let before = previous.map { ScreenDescription.Previous(name: $0.name, id: $0.id, type: $0.type) }
        return .screenView(
            ScreenDescription(name: name, type: type, transitionType: transitionType, id: id, previous: before))
    }
}
