public import TrackerCore

extension Ecommerce {
    /// A page of a shop, `iglu:com.snowplowanalytics.snowplow.ecommerce/page/jsonschema/1-0-0`.
    ///
    /// Parameters that are nil, which is the default, are left out.
    public struct Page: Sendable, Hashable {
        /// The page as an entity.
        public let entity: Entity

        /// Creates a page.
        /// - Parameters:
        ///   - type: The kind of page, such as `checkout`, at most 128 characters.
        ///   - language: The language of the page, at most 128 characters.
        ///   - locale: The locale of the shop, at most 128 characters.
        public init(type: String, language: String? = nil, locale: String? = nil) {
            let data = JSONObject(data: ["type": type, "language": language, "locale": locale])
            entity = Entity(ecommerce: "page", data: data)
        }
    }
}
