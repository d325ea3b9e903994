/// The subject of an event: the subject fields of the Snowplow tracker protocol, for one request or one event.
///
/// A field that is nil is unset, and the next source applies: the event itself (``Event/subject``), the argument of
/// ``Tracker/track(_:entities:subject:trueTimestamp:)``, then the context of a ``ScopedTracker``, then
/// ``TrackingContext/current``, then ``Tracker/subject``. To leave a field out of an event, name it in ``cleared``.
///
/// ```swift
/// let subject = EventSubject(userID: "u-1", ipAddress: "203.0.113.7", language: "en-GB")
/// tracker.track(Structured(category: "cart", action: "add"), subject: subject)
/// ```
public struct EventSubject: Sendable, Hashable {
    /// Fields of a subject.
    public struct Fields: OptionSet, Sendable, Hashable {
        /// A bit for each field.
        public let rawValue: UInt32

        /// Creates a set of fields.
        /// - Parameter rawValue: A bit for each field.
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// ``EventSubject/userID``.
        public static let userID = Fields(rawValue: 1)
        /// ``EventSubject/domainUserID``.
        public static let domainUserID = Fields(rawValue: 1 << 1)
        /// ``EventSubject/networkUserID``.
        public static let networkUserID = Fields(rawValue: 1 << 2)
        /// ``EventSubject/domainSessionID``.
        public static let domainSessionID = Fields(rawValue: 1 << 3)
        /// ``EventSubject/domainSessionIndex``.
        public static let domainSessionIndex = Fields(rawValue: 1 << 4)
        /// ``EventSubject/ipAddress``.
        public static let ipAddress = Fields(rawValue: 1 << 5)
        /// ``EventSubject/userAgent``.
        public static let userAgent = Fields(rawValue: 1 << 6)
        /// ``EventSubject/timeZone``.
        public static let timeZone = Fields(rawValue: 1 << 7)
        /// ``EventSubject/language``.
        public static let language = Fields(rawValue: 1 << 8)
        /// ``EventSubject/screenResolution``.
        public static let screenResolution = Fields(rawValue: 1 << 9)
        /// ``EventSubject/viewport``.
        public static let viewport = Fields(rawValue: 1 << 10)
        /// ``EventSubject/colorDepth``.
        public static let colorDepth = Fields(rawValue: 1 << 11)
        /// ``EventSubject/url``.
        public static let url = Fields(rawValue: 1 << 12)
        /// ``EventSubject/referrer``.
        public static let referrer = Fields(rawValue: 1 << 13)
        /// ``EventSubject/pageTitle``.
        public static let pageTitle = Fields(rawValue: 1 << 14)
        /// ``EventSubject/location``.
        public static let location = Fields(rawValue: 1 << 15)

        /// All fields.
        public static let all = Fields(rawValue: 1 << 16 - 1)
    }

    /// The user's id, `uid`; at most 255 characters.
    public var userID: String? {
        get { storage?.values.userID }
        set { values.userID = newValue }
    }

    /// The user's id on the domain, `duid`, from a first-party cookie; at most 128 characters.
    public var domainUserID: String? {
        get { storage?.values.domainUserID }
        set { values.domainUserID = newValue }
    }

    /// The user's id across domains, `tnuid`; at most 128 characters.
    public var networkUserID: String? {
        get { storage?.values.networkUserID }
        set { values.networkUserID = newValue }
    }

    /// The id of the web session, `sid`; at most 128 characters.
    public var domainSessionID: String? {
        get { storage?.values.domainSessionID }
        set { values.domainSessionID = newValue }
    }

    /// The number of the user's web session, `vid`; 0 … 2,147,483,647.
    public var domainSessionIndex: Int? {
        get { storage?.values.domainSessionIndex }
        set { values.domainSessionIndex = newValue }
    }

    /// The IP address, `ip`; at most 128 characters.
    public var ipAddress: String? {
        get { storage?.values.ipAddress }
        set { values.ipAddress = newValue }
    }

    /// The user agent, `ua`; at most 1,000 characters.
    public var userAgent: String? {
        get { storage?.values.userAgent }
        set { values.userAgent = newValue }
    }

    /// The time zone, `tz`, such as `Europe/Berlin`; at most 255 characters.
    public var timeZone: String? {
        get { storage?.values.timeZone }
        set { values.timeZone = newValue }
    }

    /// The language, `lang`, such as `en-GB`; at most 255 characters.
    public var language: String? {
        get { storage?.values.language }
        set { values.language = newValue }
    }

    /// The size of the user's screen in pixels, `res`.
    public var screenResolution: PixelSize? {
        get { storage?.values.screenResolution }
        set { values.screenResolution = newValue }
    }

    /// The size of the user's window in pixels, `vp`.
    public var viewport: PixelSize? {
        get { storage?.values.viewport }
        set { values.viewport = newValue }
    }

    /// The depth of the screen's colours in bits, `cd`; 1 … 64.
    public var colorDepth: Int? {
        get { storage?.values.colorDepth }
        set { values.colorDepth = newValue }
    }

    /// The URL of the page or screen, `url`, which enrichments for campaigns read; at most 4,096 characters.
    public var url: String? {
        get { storage?.values.url }
        set { values.url = newValue }
    }

    /// The URL of the page before it, `refr`; at most 4,096 characters.
    public var referrer: String? {
        get { storage?.values.referrer }
        set { values.referrer = newValue }
    }

    /// The page's title, `page`; at most 2,000 characters.
    public var pageTitle: String? {
        get { storage?.values.pageTitle }
        set { values.pageTitle = newValue }
    }

    /// The location, for the geolocation entity of ``TrackerConfiguration/geoLocationContext``.
    public var location: GeoLocation? {
        get { storage?.values.location }
        set { values.location = newValue }
    }

    /// Whether the event leaves out user ids and the address, and its session the user, as with
    /// ``TrackerConfiguration/userAnonymisation``. An event is anonymous if any source sets this; false does not revoke
    /// it.
    public var isAnonymous: Bool {
        get { storage?.values.isAnonymous ?? false }
        set { values.isAnonymous = newValue }
    }

    /// Fields that the event leaves out even if a later source has them; a field with a value here keeps it.
    public var cleared: Fields {
        get { storage?.values.cleared ?? [] }
        set { values.cleared = newValue }
    }

    /// Creates a subject.
    ///
    /// Text that is longer than the limit of Snowplow's atomic schema is truncated. The first time for each field is
    /// logged, and ``TrackerCounters/truncated`` counts all. A number outside its bounds is left out and counted too.
    /// - Parameters:
    ///   - userID: The user's id.
    ///   - domainUserID: The user's id on the domain.
    ///   - networkUserID: The user's id across domains.
    ///   - domainSessionID: The id of the web session.
    ///   - domainSessionIndex: The number of the user's web session.
    ///   - ipAddress: The IP address.
    ///   - userAgent: The user agent.
    ///   - timeZone: The time zone, such as `Europe/Berlin`.
    ///   - language: The language, such as `en-GB`.
    ///   - screenResolution: The size of the user's screen in pixels.
    ///   - viewport: The size of the user's window in pixels.
    ///   - colorDepth: The depth of the screen's colours in bits.
    ///   - url: The URL of the page or screen.
    ///   - referrer: The URL of the page before it.
    ///   - pageTitle: The page's title.
    ///   - location: The location.
    ///   - isAnonymous: Whether the event leaves out user ids and the address; false by default.
    ///   - cleared: Fields that the event leaves out; none by default.
    public init(
        userID: String? = nil, domainUserID: String? = nil, networkUserID: String? = nil,
        domainSessionID: String? = nil, domainSessionIndex: Int? = nil, ipAddress: String? = nil,
        userAgent: String? = nil, timeZone: String? = nil, language: String? = nil,
        screenResolution: PixelSize? = nil, viewport: PixelSize? = nil, colorDepth: Int? = nil,
        url: String? = nil, referrer: String? = nil, pageTitle: String? = nil, location: GeoLocation? = nil,
        isAnonymous: Bool = false, cleared: Fields = []
    ) {
        var values = Values()
        values.userID = userID
        values.domainUserID = domainUserID
        values.networkUserID = networkUserID
        values.domainSessionID = domainSessionID
        values.domainSessionIndex = domainSessionIndex
        values.ipAddress = ipAddress
        values.userAgent = userAgent
        values.timeZone = timeZone
        values.language = language
        values.screenResolution = screenResolution
        values.viewport = viewport
        values.colorDepth = colorDepth
        values.url = url
        values.referrer = referrer
        values.pageTitle = pageTitle
        values.location = location
        values.isAnonymous = isAnonymous
        values.cleared = cleared
        storage = Storage(values)
    }

    /// The values of a subject.
    struct Values: Sendable, Hashable {
        var userID: String?
        var domainUserID: String?
        var networkUserID: String?
        var domainSessionID: String?
        var domainSessionIndex: Int?
        var ipAddress: String?
        var userAgent: String?
        var timeZone: String?
        var language: String?
        var screenResolution: PixelSize?
        var viewport: PixelSize?
        var colorDepth: Int?
        var url: String?
        var referrer: String?
        var pageTitle: String?
        var location: GeoLocation?
        var isAnonymous = false
        var cleared = Fields()
    }

    /// Values that never change: an event hands a subject from function to function, and the values are large to copy.
    private final class Storage: Sendable {
        let values: Values
        let fields: Fields

        init(_ values: Values) {
            self.values = values
            fields = values.fields
        }
    }

    /// nil for a subject with all fields unset.
    private var storage: Storage?

    init(_ values: Values) {
        storage = Storage(values)
    }

    var values: Values {
        get { storage?.values ?? Values() }
        set { storage = Storage(newValue) }
    }

    /// The fields that have a value.
    var fields: Fields { storage?.fields ?? [] }

    /// The fields that a later source does not decide.
    var decided: Fields { storage.map { $0.fields.union($0.values.cleared) } ?? [] }

    /// Whether two subjects have the same values.
    public static func == (left: EventSubject, right: EventSubject) -> Bool {
        left.storage === right.storage || left.values == right.values
    }

    /// Hashes the subject's values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(values)
    }
}

extension EventSubject.Fields {
    /// The fields that distinguish users.
    static let identity: Self = [.userID, .domainUserID, .domainSessionID]

    /// The fields that anonymous events leave out.
    static let personal: Self = [.userID, .domainUserID, .networkUserID, .ipAddress]

    /// The field of a parameter of the protocol; nil for a parameter that is none.
    init?(parameter name: String) {
        switch name {
        case "uid": self = .userID
        case "duid": self = .domainUserID
        case "tnuid": self = .networkUserID
        case "sid": self = .domainSessionID
        case "vid": self = .domainSessionIndex
        case "ip": self = .ipAddress
        case "ua": self = .userAgent
        case "tz": self = .timeZone
        case "lang": self = .language
        case "res": self = .screenResolution
        case "vp": self = .viewport
        case "cd": self = .colorDepth
        case "url": self = .url
        case "refr": self = .referrer
        case "page": self = .pageTitle
        default: return nil
        }
    }
}
