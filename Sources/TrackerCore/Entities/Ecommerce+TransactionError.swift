extension Ecommerce {
    /// Why a transaction failed, `iglu:com.snowplowanalytics.snowplow.ecommerce/transaction_error/jsonschema/1-0-0`.
    ///
    /// What is nil, as by default, is left out.
    public struct TransactionError: Sendable, Hashable {
        /// Whether to try again makes sense.
        @nonexhaustive
        public enum ErrorType: String, Sendable, Hashable, CaseIterable {
            /// The customer must pay in another way.
            case hard
            /// To try again may succeed.
            case soft
        }

        /// The code, as `E522`, at most 256 characters.
        public let errorCode: String?

        /// The code as a word, as `card_declined`, at most 4,096 characters.
        public let errorShortcode: String?

        /// What happened, at most 4,096 characters.
        public let errorDescription: String?

        /// Whether to try again makes sense.
        public let errorType: ErrorType?

        /// What follows, as `retry_allowed`, at most 4,096 characters.
        public let resolution: String?

        /// Creates an error.
        /// - Parameters:
        ///   - errorCode: The code, as `E522`, at most 256 characters.
        ///   - errorShortcode: The code as a word, as `card_declined`, at most 4,096 characters.
        ///   - errorDescription: What happened, at most 4,096 characters.
        ///   - errorType: Whether to try again makes sense.
        ///   - resolution: What follows, as `retry_allowed`, at most 4,096 characters.
        /// - Throws: Where a value is outside its bounds.
        public init(
            errorCode: String? = nil, errorShortcode: String? = nil, errorDescription: String? = nil,
            errorType: ErrorType? = nil, resolution: String? = nil
        ) throws(EventError) {
            let check = ValueCheck(Self.self)
            self.errorCode = try check.text(errorCode, "errorCode", atMost: 256)
            self.errorShortcode = try check.text(errorShortcode, "errorShortcode", atMost: 4096)
            self.errorDescription = try check.text(errorDescription, "errorDescription", atMost: 4096)
            self.errorType = errorType
            self.resolution = try check.text(resolution, "resolution", atMost: 4096)
        }

        /// The error as an entity.
        public var entity: Entity {
            let data = JSONObject(present: [
                ("error_code", errorCode.map(JSONValue.string)),
                ("error_shortcode", errorShortcode.map(JSONValue.string)),
                ("error_description", errorDescription.map(JSONValue.string)),
                ("error_type", errorType.map { .string($0.rawValue) }),
                ("resolution", resolution.map(JSONValue.string)),
            ])
            return Entity(
                schema: "iglu:com.snowplowanalytics.snowplow.ecommerce/transaction_error/jsonschema/1-0-0", data: data)
        }
    }
}
