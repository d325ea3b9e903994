public import TrackerCore

extension Ecommerce {
    /// A page of a shop, `iglu:com.snowplowanalytics.snowplow.ecommerce/page/jsonschema/1-0-0`.
    ///
    /// Properties that are nil, which is the default, are left out.
    public struct Page: Sendable, Hashable {
        /// The kind of page, such as `checkout`, at most 128 characters.
        public let type: String

        /// The language of the page, at most 128 characters.
        public let language: String?

        /// The locale of the shop, at most 128 characters.
        public let locale: String?

        /// Creates a page.
        /// - Parameters:
        ///   - type: The kind of page, such as `checkout`, at most 128 characters.
        ///   - language: The language of the page, at most 128 characters.
        ///   - locale: The locale of the shop, at most 128 characters.
        /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
        public init(type: String, language: String? = nil, locale: String? = nil) throws(EventError) {
            let check = ValueCheck(Self.self)
            self.type = try check.text(type, "type", atMost: 128)
            self.language = try check.text(language, "language", atMost: 128)
            self.locale = try check.text(locale, "locale", atMost: 128)
        }

        /// The page as an entity.
        public var entity: Entity {
            let data = JSONObject(present: [
                ("type", .string(type)),
                ("language", language.map(JSONValue.string)),
                ("locale", locale.map(JSONValue.string)),
            ])
            return Entity(schema: "iglu:com.snowplowanalytics.snowplow.ecommerce/page/jsonschema/1-0-0", data: data)
        }
    }
}
