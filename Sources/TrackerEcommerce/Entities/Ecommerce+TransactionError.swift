public import TrackerCore

extension Ecommerce {
    /// The error of a failed transaction,
    /// `iglu:com.snowplowanalytics.snowplow.ecommerce/transaction_error/jsonschema/1-0-0`.
    ///
    /// Properties that are nil, which is the default, are left out.
    public struct TransactionError: Sendable, Hashable {
        /// Whether a retry can succeed.
        @nonexhaustive
        public enum ErrorType: String, Sendable, Hashable, CaseIterable {
            /// The customer must pay in another way.
            case hard
            /// A retry may succeed.
            case soft
        }

        /// The code, such as `E522`, at most 256 characters.
        public let errorCode: String?

        /// The code as a word, such as `card_declined`, at most 4,096 characters.
        public let errorShortcode: String?

        /// The description, at most 4,096 characters.
        public let errorDescription: String?

        /// Whether a retry can succeed.
        public let errorType: ErrorType?

        /// The resolution, such as `retry_allowed`, at most 4,096 characters.
        public let resolution: String?

        /// Creates an error.
        /// - Parameters:
        ///   - errorCode: The code, such as `E522`, at most 256 characters.
        ///   - errorShortcode: The code as a word, such as `card_declined`, at most 4,096 characters.
        ///   - errorDescription: The description, at most 4,096 characters.
        ///   - errorType: Whether a retry can succeed.
        ///   - resolution: The resolution, such as `retry_allowed`, at most 4,096 characters.
        /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
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
