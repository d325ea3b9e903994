/// The subject of a tracker's events that have none of their own and none from their request; see ``EventSubject``.
///
/// All events of the tracker share it, so a service with many users must not set it per request: requests that run at
/// the same time would get each other's users. Nothing is set by default, because a service's own language and time zone are
/// not its users'.
public struct SubjectConfiguration: ConfigurationSection, Sendable, Equatable {
    /// The user's id, `uid`.
    public var userID: String?

    /// The user's id across domains, `tnuid`.
    public var networkUserID: String?

    /// The user's id on the domain, `duid`.
    public var domainUserID: String?

    /// The id of the web session, `sid`; set in code only.
    public var domainSessionID: String?

    /// The number of the user's web session, `vid`; 0 … 2,147,483,647; set in code only.
    public var domainSessionIndex: Int?

    /// The user agent, `ua`.
    public var userAgent: String?

    /// The IP address, `ip`.
    public var ipAddress: String?

    /// The time zone, `tz`, such as `Europe/Berlin`.
    public var timeZone: String?

    /// The language, `lang`, such as `en-GB`.
    public var language: String?

    /// The size of the user's screen in pixels, `res`; set in code only.
    public var screenResolution: PixelSize?

    /// The size of the user's window in pixels, `vp`; set in code only.
    public var viewport: PixelSize?

    /// The depth of the screen's colours in bits, `cd`; 1 … 64; set in code only.
    public var colorDepth: Int?

    /// The user's location, for the geolocation entity; set in code only.
    public var location: GeoLocation?

    /// Creates a section with all settings unset.
    public init() {}

    /// Creates a section and lets `configure` set its settings.
    /// - Parameter configure: Gets the empty section.
    public init(_ configure: (inout SubjectConfiguration) -> Void) {
        self.init()
        configure(&self)
    }

    /// The section's name.
    package static let name = "subject"

    /// All settings of the section.
    package static let fields: [ConfigurationField<SubjectConfiguration>] = [
        ConfigurationField("userId", \.userID),
        ConfigurationField("networkUserId", \.networkUserID),
        ConfigurationField("domainUserId", \.domainUserID),
        ConfigurationField("domainSessionId", \.domainSessionID, isInDocuments: false),
        ConfigurationField("domainSessionIndex", \.domainSessionIndex, isInDocuments: false) { index in
            0...Int(Int32.max) ~= index
                ? nil : (min(max(index, 0), Int(Int32.max)), "\(index) is outside 0…\(Int32.max)")
        },
        ConfigurationField("useragent", \.userAgent),
        ConfigurationField("ipAddress", \.ipAddress),
        ConfigurationField("timezone", \.timeZone),
        ConfigurationField("language", \.language),
        ConfigurationField("screenResolution", \.screenResolution, isInDocuments: false),
        ConfigurationField("viewport", \.viewport, isInDocuments: false),
        ConfigurationField("colorDepth", \.colorDepth, isInDocuments: false) { depth in
            1...64 ~= depth ? nil : (min(max(depth, 1), 64), "\(depth) is outside 1…64")
        },
        ConfigurationField("location", \.location, isInDocuments: false),
    ]

    /// The values of settings that no layer sets: all are unset.
    package static let builtIn = SubjectConfiguration()
}
