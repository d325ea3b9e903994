public import TrackerCore

/// A ping of a page that is still being viewed.
///
/// The minimum offset of an axis is at most its maximum. Parameters that are nil, which is the default, are left out.
/// Snowplow rejects an event with a value outside its bounds.
public struct PagePing: Event {
    /// The seven parameters `url`, `page`, `refr`, `pp_mix`, `pp_max`, `pp_miy` and `pp_may`.
    public let content: EventContent

    /// Creates an event.
    /// - Parameters:
    ///   - url: The page's URL.
    ///   - title: The page's title.
    ///   - referrer: The URL of the previous page.
    ///   - minOffsetX: The leftmost scroll position since the last ping, in pixels, -2,147,483,647 to 2,147,483,647.
    ///   - maxOffsetX: The rightmost scroll position, in pixels, -2,147,483,647 to 2,147,483,647.
    ///   - minOffsetY: The topmost scroll position, in pixels, -2,147,483,647 to 2,147,483,647.
    ///   - maxOffsetY: The bottommost scroll position, in pixels, -2,147,483,647 to 2,147,483,647.
    public init(
        url: String, title: String? = nil, referrer: String? = nil, minOffsetX: Int? = nil, maxOffsetX: Int? = nil,
        minOffsetY: Int? = nil, maxOffsetY: Int? = nil
    ) {
        content = .parameters(
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
