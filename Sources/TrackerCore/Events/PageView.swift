/// The view of a page.
public struct PageView: Event {
    /// The page's URL, `url`.
    public var url: String

    /// The page's title, `page`.
    public var title: String?

    /// The URL of the previous page, `refr`.
    public var referrer: String?

    /// Creates an event.
    /// - Parameters:
    ///   - url: The page's URL.
    ///   - title: The page's title.
    ///   - referrer: The URL of the previous page.
    public init(url: String, title: String? = nil, referrer: String? = nil) {
        self.url = url
        self.title = title
        self.referrer = referrer
    }

    /// The three parameters.
    public var content: EventContent {
        .parameters(
            .pageView,
            [
                EventParameter(name: "url", value: url), EventParameter(name: "page", value: title),
                EventParameter(name: "refr", value: referrer),
            ])
    }
}
