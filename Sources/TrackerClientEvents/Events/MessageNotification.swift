public import FoundationEssentials
public import TrackerCore

/// A notification that was shown, `iglu:com.snowplowanalytics.mobile/message_notification/jsonschema/1-0-0`.
///
/// Parameters that are nil or empty, which is the default, are left out. Snowplow rejects an event with a value outside
/// its bounds.
public struct MessageNotification: Event {
    /// The trigger of a notification.
    @nonexhaustive
    public enum Trigger: String, Sendable, Hashable, CaseIterable {
        /// A push service.
        case push
        /// A place that the user reached or left.
        case location
        /// A date of a calendar.
        case calendar
        /// A time that has passed.
        case timeInterval
        /// Anything else.
        case other
    }

    /// An attachment of a notification.
    public struct Attachment: Sendable, Hashable {
        let data: JSONValue

        /// Creates an attachment.
        /// - Parameters:
        ///   - identifier: The id of the attachment, at most 1,024 characters.
        ///   - url: The URL of the attachment, an absolute URI of at most 1,024 characters.
        ///   - type: The type of the attachment, such as `image`, at most 1,024 characters.
        public init(identifier: String, url: String, type: String) {
            data = ["identifier": .string(identifier), "url": .string(url), "type": .string(type)]
        }
    }

    /// The notification as self-describing data.
    public let content: EventContent

    /// Creates an event.
    /// - Parameters:
    ///   - title: The title, at most 1,024 characters.
    ///   - body: The body, at most 4,096 characters.
    ///   - trigger: The trigger of the notification.
    ///   - notificationTimestamp: The time of the notification, to the millisecond; left out outside the years 0000 to
    ///     9999.
    ///   - sound: The sound that was played, at most 1,024 characters.
    ///   - action: The action that belongs to it, at most 1,024 characters.
    ///   - bodyLocKey: The key of the localized body, at most 1,024 characters.
    ///   - bodyLocArgs: The values for the placeholders of the localized body, at most 1,024 characters each.
    ///   - titleLocKey: The key of the localized title, at most 1,024 characters.
    ///   - titleLocArgs: The values for the placeholders of the localized title, at most 1,024 characters each.
    ///   - group: The group that it belongs to, at most 1,024 characters.
    ///   - category: Its category, at most 1,024 characters.
    ///   - notificationCount: The number of items that it represents, 0 to 10,000.
    ///   - subtitle: The subtitle, on iOS, at most 1,024 characters.
    ///   - contentAvailable: Whether the app is woken up, on iOS.
    ///   - threadIdentifier: Another grouping, on iOS, at most 1,024 characters.
    ///   - icon: The icon, on Android, at most 1,024 characters.
    ///   - tag: Another grouping, on Android, at most 1,024 characters.
    ///   - attachments: The attachments.
    public init(
        title: String, body: String, trigger: Trigger, notificationTimestamp: Date? = nil, sound: String? = nil,
        action: String? = nil, bodyLocKey: String? = nil, bodyLocArgs: [String] = [], titleLocKey: String? = nil,
        titleLocArgs: [String] = [], group: String? = nil, category: String? = nil, notificationCount: Int? = nil,
        subtitle: String? = nil, contentAvailable: Bool? = nil, threadIdentifier: String? = nil, icon: String? = nil,
        tag: String? = nil, attachments: [Attachment] = []
    ) {
        let data = JSONObject(data: [
            "title": title, "body": body, "trigger": trigger.rawValue, "notificationTimestamp": notificationTimestamp,
            "sound": sound, "action": action, "bodyLocKey": bodyLocKey, "bodyLocArgs": bodyLocArgs,
            "titleLocKey": titleLocKey, "titleLocArgs": titleLocArgs, "group": group, "category": category,
            "notificationCount": notificationCount, "subtitle": subtitle, "contentAvailable": contentAvailable,
            "threadIdentifier": threadIdentifier, "icon": icon, "tag": tag, "attachments": attachments.map(\.data),
        ])
        content = .selfDescribing(
            schema: "iglu:com.snowplowanalytics.mobile/message_notification/jsonschema/1-0-0", data: data)
    }
}
