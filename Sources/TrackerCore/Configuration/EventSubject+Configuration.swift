extension EventSubject: ConfigurationSection {
    /// The section's name.
    package static let name = "subject"

    /// The section's place in a bundle.
    package static var inBundle: WritableKeyPath<ConfigurationBundle, EventSubject?> { \.subject }

    /// The section's place in layers.
    package static var inLayers: WritableKeyPath<TrackerLayers, Layered<EventSubject>> { \.subject }

    /// All settings of the section.
    package static let fields: [ConfigurationField<EventSubject>] = [
        ConfigurationField("userId", \.userID),
        ConfigurationField("networkUserId", \.networkUserID),
        ConfigurationField("domainUserId", \.domainUserID),
        ConfigurationField("domainSessionId", \.domainSessionID, isInDocuments: false),
        ConfigurationField(
            "domainSessionIndex", \.domainSessionIndex, within: 0...Int(Int32.max), isInDocuments: false),
        ConfigurationField("useragent", \.userAgent),
        ConfigurationField("ipAddress", \.ipAddress),
        ConfigurationField("timezone", \.timeZone),
        ConfigurationField("language", \.language),
        ConfigurationField("screenResolution", \.screenResolution, isInDocuments: false),
        ConfigurationField("viewport", \.viewport, isInDocuments: false),
        ConfigurationField("colorDepth", \.colorDepth, within: 1...64, isInDocuments: false),
        ConfigurationField("url", \.url, isInDocuments: false),
        ConfigurationField("referrer", \.referrer, isInDocuments: false),
        ConfigurationField("pageTitle", \.pageTitle, isInDocuments: false),
        ConfigurationField("location", \.location, isInDocuments: false),
    ]

    /// The values of settings that no layer sets: all are unset.
    package static let builtIn = EventSubject()
}
