public import TrackerCore

extension MessageNotification {
    /// An attachment of a notification.
    public struct Attachment: Sendable, Hashable {
        /// The id of the attachment, at most 1,024 characters.
        public let identifier: String

        /// The URL of the attachment, an absolute URI of at most 1,024 characters.
        public let url: String

        /// The type of the attachment, such as `image`, at most 1,024 characters.
        public let type: String

        /// Creates an attachment.
        /// - Parameters:
        ///   - identifier: The id of the attachment, at most 1,024 characters.
        ///   - url: The URL of the attachment, an absolute URI of at most 1,024 characters.
        ///   - type: The type of the attachment, such as `image`, at most 1,024 characters.
        /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
        public init(identifier: String, url: String, type: String) throws(EventError) {
            let check = ValueCheck(Self.self)
            self.identifier = try check.text(identifier, "identifier", atMost: 1024)
            self.url = try check.uri(url, "url", atMost: 1024)
            self.type = try check.text(type, "type", atMost: 1024)
        }

        var json: JSONValue {
            ["identifier": .string(identifier), "url": .string(url), "type": .string(type)]
        }
    }
}
