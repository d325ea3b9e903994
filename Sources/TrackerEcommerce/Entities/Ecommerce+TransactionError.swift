public import TrackerCore

extension Ecommerce {
    /// The error of a failed transaction,
    /// `iglu:com.snowplowanalytics.snowplow.ecommerce/transaction_error/jsonschema/1-0-0`.
    ///
    /// Parameters that are nil, which is the default, are left out.
    public struct TransactionError: Sendable, Hashable {
        /// Whether a retry can succeed.
        @nonexhaustive
        public enum ErrorType: String, Sendable, Hashable, CaseIterable {
            /// The customer must pay in another way.
            case hard
            /// A retry may succeed.
            case soft
        }

        /// The error as an entity.
        public let entity: Entity

        /// Creates an error.
        /// - Parameters:
        ///   - errorCode: The code, such as `E522`, at most 256 characters.
        ///   - errorShortcode: The code as a word, such as `card_declined`, at most 4,096 characters.
        ///   - errorDescription: The description, at most 4,096 characters.
        ///   - errorType: Whether a retry can succeed.
        ///   - resolution: The resolution, such as `retry_allowed`, at most 4,096 characters.
        public init(
            errorCode: String? = nil, errorShortcode: String? = nil, errorDescription: String? = nil,
            errorType: ErrorType? = nil, resolution: String? = nil
        ) {
            let data = JSONObject(data: [
                "error_code": errorCode, "error_shortcode": errorShortcode, "error_description": errorDescription,
                "error_type": errorType?.rawValue, "resolution": resolution,
            ])
            entity = Entity(ecommerce: "transaction_error", data: data)
        }
    }
}
