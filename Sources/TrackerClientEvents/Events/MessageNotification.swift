public import FoundationEssentials
public import TrackerCore

/// A notification that was shown, `iglu:com.snowplowanalytics.mobile/message_notification/jsonschema/1-0-0`.
///
/// Properties that are nil or empty, which is the default, are left out.
public struct MessageNotification: Event {
    /// The trigger of a notification.
    @nonexhaustive
    public enum Trigger: String, Sendable, Hashable, CaseIterable {
        /// A push service.
        case push
        /// A place that was reached or left.
        case location
        /// A date of a calendar.
        case calendar
        /// A time that has passed.
        case timeInterval
        /// Anything else.
        case other
    }

    /// The title, at most 1,024 characters.
    public let title: String

    /// The body, at most 4,096 characters.
    public let body: String

    /// The trigger of the notification.
    public let trigger: Trigger

    /// The time when it was raised, to the millisecond, in the years 0000 to 9999.
    public let notificationTimestamp: Date?

    /// The sound that was played, at most 1,024 characters.
    public let sound: String?

    /// The action that belongs to it, at most 1,024 characters.
    public let action: String?

    /// The key of the localized body, at most 1,024 characters.
    public let bodyLocKey: String?

    /// The values for the placeholders of the localized body, at most 1,024 characters each.
    public let bodyLocArgs: [String]

    /// The key of the localized title, at most 1,024 characters.
    public let titleLocKey: String?

    /// The values for the placeholders of the localized title, at most 1,024 characters each.
    public let titleLocArgs: [String]

    /// The group that it belongs to, at most 1,024 characters.
    public let group: String?

    /// Its category, at most 1,024 characters.
    public let category: String?

    /// The number of items that it represents, 0 to 10,000.
    public let notificationCount: Int?

    /// The subtitle, on iOS, at most 1,024 characters.
    public let subtitle: String?

    /// Whether the app is woken up, on iOS.
    public let contentAvailable: Bool?

    /// Another grouping, on iOS, at most 1,024 characters.
    public let threadIdentifier: String?

    /// The icon, on Android, at most 1,024 characters.
    public let icon: String?

    /// Another grouping, on Android, at most 1,024 characters.
    public let tag: String?

    /// The attachments.
    public let attachments: [Attachment]

    /// Creates an event.
    /// - Parameters:
    ///   - title: The title, at most 1,024 characters.
    ///   - body: The body, at most 4,096 characters.
    ///   - trigger: The trigger of the notification.
    ///   - notificationTimestamp: The time when it was raised, to the millisecond, in the years 0000 to 9999.
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
    /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
    public init(
        title: String, body: String, trigger: Trigger, notificationTimestamp: Date? = nil, sound: String? = nil,
        action: String? = nil, bodyLocKey: String? = nil, bodyLocArgs: [String] = [], titleLocKey: String? = nil,
        titleLocArgs: [String] = [], group: String? = nil, category: String? = nil, notificationCount: Int? = nil,
        subtitle: String? = nil, contentAvailable: Bool? = nil, threadIdentifier: String? = nil, icon: String? = nil,
        tag: String? = nil, attachments: [Attachment] = []
    ) throws(EventError) {
        let check = ValueCheck(Self.self)
        self.title = try check.text(title, "title", atMost: 1024)
        self.body = try check.text(body, "body", atMost: 4096)
        self.trigger = trigger
        self.notificationTimestamp = try check.date(notificationTimestamp, "notificationTimestamp")
        self.sound = try check.text(sound, "sound", atMost: 1024)
        self.action = try check.text(action, "action", atMost: 1024)
        self.bodyLocKey = try check.text(bodyLocKey, "bodyLocKey", atMost: 1024)
        self.bodyLocArgs = try check.texts(bodyLocArgs, "bodyLocArgs", atMost: 1024)
        self.titleLocKey = try check.text(titleLocKey, "titleLocKey", atMost: 1024)
        self.titleLocArgs = try check.texts(titleLocArgs, "titleLocArgs", atMost: 1024)
        self.group = try check.text(group, "group", atMost: 1024)
        self.category = try check.text(category, "category", atMost: 1024)
        self.notificationCount = try check.integer(notificationCount, "notificationCount", in: 0...10_000)
        self.subtitle = try check.text(subtitle, "subtitle", atMost: 1024)
        self.contentAvailable = contentAvailable
        self.threadIdentifier = try check.text(threadIdentifier, "threadIdentifier", atMost: 1024)
        self.icon = try check.text(icon, "icon", atMost: 1024)
        self.tag = try check.text(tag, "tag", atMost: 1024)
        self.attachments = attachments
    }

    /// The notification as self-describing data.
    public var content: EventContent {
        let data = JSONObject(present: [
            ("title", .string(title)),
            ("body", .string(body)),
            ("trigger", .string(trigger.rawValue)),
            ("notificationTimestamp", notificationTimestamp.flatMap(Timestamp.iso8601).map(JSONValue.string)),
            ("sound", sound.map(JSONValue.string)),
            ("action", action.map(JSONValue.string)),
            ("bodyLocKey", bodyLocKey.map(JSONValue.string)),
            ("bodyLocArgs", bodyLocArgs.isEmpty ? nil : .array(bodyLocArgs.map(JSONValue.string))),
            ("titleLocKey", titleLocKey.map(JSONValue.string)),
            ("titleLocArgs", titleLocArgs.isEmpty ? nil : .array(titleLocArgs.map(JSONValue.string))),
            ("group", group.map(JSONValue.string)),
            ("category", category.map(JSONValue.string)),
            ("notificationCount", notificationCount.map(JSONValue.int)),
            ("subtitle", subtitle.map(JSONValue.string)),
            ("contentAvailable", contentAvailable.map(JSONValue.bool)),
            ("threadIdentifier", threadIdentifier.map(JSONValue.string)),
            ("icon", icon.map(JSONValue.string)),
            ("tag", tag.map(JSONValue.string)),
            ("attachments", attachments.isEmpty ? nil : .array(attachments.map(\.json))),
        ])
        return .selfDescribing(
            schema: "iglu:com.snowplowanalytics.mobile/message_notification/jsonschema/1-0-0", data: data)
    }
}
