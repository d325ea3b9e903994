public import TrackerCore

/// A ping of a page that is still being viewed.
///
/// The tracker protocol's offsets have 32 bits, and the least offset of an axis is at most its greatest. What is nil,
/// as by default, is left out.
public struct PagePing: Event {
    /// The page's URL, `url`.
    public let url: String

    /// The page's title, `page`.
    public let title: String?

    /// The URL of the page before it, `refr`.
    public let referrer: String?

    /// The leftmost scroll position since the last ping, in pixels, `pp_mix`, -2,147,483,647 to 2,147,483,647.
    public let minOffsetX: Int?

    /// The rightmost scroll position, in pixels, `pp_max`, -2,147,483,647 to 2,147,483,647.
    public let maxOffsetX: Int?

    /// The topmost scroll position, in pixels, `pp_miy`, -2,147,483,647 to 2,147,483,647.
    public let minOffsetY: Int?

    /// The bottommost scroll position, in pixels, `pp_may`, -2,147,483,647 to 2,147,483,647.
    public let maxOffsetY: Int?

    /// Creates an event.
    /// - Parameters:
    ///   - url: The page's URL.
    ///   - title: The page's title.
    ///   - referrer: The URL of the page before it.
    ///   - minOffsetX: The leftmost scroll position since the last ping, in pixels, -2,147,483,647 to 2,147,483,647.
    ///   - maxOffsetX: The rightmost scroll position, in pixels, -2,147,483,647 to 2,147,483,647.
    ///   - minOffsetY: The topmost scroll position, in pixels, -2,147,483,647 to 2,147,483,647.
    ///   - maxOffsetY: The bottommost scroll position, in pixels, -2,147,483,647 to 2,147,483,647.
    /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
    public init(
        url: String, title: String? = nil, referrer: String? = nil, minOffsetX: Int? = nil, maxOffsetX: Int? = nil,
        minOffsetY: Int? = nil, maxOffsetY: Int? = nil
    ) throws(EventError) {
        let check = ValueCheck(Self.self)
        try check.ordered(minOffsetX, "minOffsetX", atMost: maxOffsetX, "maxOffsetX")
        try check.ordered(minOffsetY, "minOffsetY", atMost: maxOffsetY, "maxOffsetY")
        self.url = url
        self.title = title
        self.referrer = referrer
        self.minOffsetX = try check.integer(minOffsetX, "minOffsetX", in: -2_147_483_647...2_147_483_647)
        self.maxOffsetX = try check.integer(maxOffsetX, "maxOffsetX", in: -2_147_483_647...2_147_483_647)
        self.minOffsetY = try check.integer(minOffsetY, "minOffsetY", in: -2_147_483_647...2_147_483_647)
        self.maxOffsetY = try check.integer(maxOffsetY, "maxOffsetY", in: -2_147_483_647...2_147_483_647)
    }

    /// The seven parameters.
    public var content: EventContent {
        .parameters(
            .pagePing,
            [
                EventParameter(name: "url", value: url), EventParameter(name: "page", value: title),
                EventParameter(name: "refr", value: referrer),
                EventParameter(name: "pp_mix", value: minOffsetX?.description),
                EventParameter(name: "pp_max", value: maxOffsetX?.description),
                EventParameter(name: "pp_miy", value: minOffsetY?.description),
                EventParameter(name: "pp_may", value: maxOffsetY?.description),
            ])
    }
}
