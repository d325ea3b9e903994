/// The subject of an event: the subject fields of the Snowplow tracker protocol, for one request or one event.
///
/// A field that is nil is unset, and the next source applies: the event itself (``Event/subject``), the argument of
/// ``Tracker/track(_:entities:subject:trueTimestamp:)``, then
/// ``TrackingContext/current``, then ``Tracker/subject``. To leave a field out of an event, name it in ``cleared``.
///
/// It is also the subject of a tracker's configuration, which applies to all events without a subject of their own: a
/// service with many users must not set it for each request. ``isAnonymous`` and ``cleared`` have no effect there.
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
        get { self[text: .userID] }
        set { self[text: .userID] = newValue }
    }

    /// The user's id on the domain, `duid`, from a first-party cookie; at most 128 characters.
    public var domainUserID: String? {
        get { self[text: .domainUserID] }
        set { self[text: .domainUserID] = newValue }
    }

    /// The user's id across domains, `tnuid`; at most 128 characters.
    public var networkUserID: String? {
        get { self[text: .networkUserID] }
        set { self[text: .networkUserID] = newValue }
    }

    /// The id of the web session, `sid`; at most 128 characters.
    public var domainSessionID: String? {
        get { self[text: .domainSessionID] }
        set { self[text: .domainSessionID] = newValue }
    }

    /// The number of the user's web session, `vid`; 0 … 2,147,483,647.
    public var domainSessionIndex: Int? {
        get { self[number: .domainSessionIndex] }
        set { self[number: .domainSessionIndex] = newValue }
    }

    /// The IP address, `ip`; at most 128 characters.
    public var ipAddress: String? {
        get { self[text: .ipAddress] }
        set { self[text: .ipAddress] = newValue }
    }

    /// The user agent, `ua`; at most 1,000 characters.
    public var userAgent: String? {
        get { self[text: .userAgent] }
        set { self[text: .userAgent] = newValue }
    }

    /// The time zone, `tz`, such as `Europe/Berlin`; at most 255 characters.
    public var timeZone: String? {
        get { self[text: .timeZone] }
        set { self[text: .timeZone] = newValue }
    }

    /// The language, `lang`, such as `en-GB`; at most 255 characters.
    public var language: String? {
        get { self[text: .language] }
        set { self[text: .language] = newValue }
    }

    /// The size of the user's screen in pixels, `res`, such as `1920x1080`; sides of 0 … 2,147,483,647.
    public var screenResolution: String? {
        get { self[text: .screenResolution] }
        set { self[text: .screenResolution] = newValue }
    }

    /// The size of the user's window in pixels, `vp`, such as `1280x720`, with the same bounds.
    public var viewport: String? {
        get { self[text: .viewport] }
        set { self[text: .viewport] = newValue }
    }

    /// The depth of the screen's colours in bits, `cd`; 1 … 64.
    public var colorDepth: Int? {
        get { self[number: .colorDepth] }
        set { self[number: .colorDepth] = newValue }
    }

    /// The URL of the page or screen, `url`, which enrichments for campaigns read; at most 4,096 characters.
    public var url: String? {
        get { self[text: .url] }
        set { self[text: .url] = newValue }
    }

    /// The URL of the previous page, `refr`; at most 4,096 characters.
    public var referrer: String? {
        get { self[text: .referrer] }
        set { self[text: .referrer] = newValue }
    }

    /// The page's title, `page`; at most 2,000 characters.
    public var pageTitle: String? {
        get { self[text: .pageTitle] }
        set { self[text: .pageTitle] = newValue }
    }

    /// The location, for the geolocation entity of ``TrackerConfiguration/geoLocationContext``.
    public var location: GeoLocation? {
        get { self[location: .location] }
        set { self[location: .location] = newValue }
    }

    /// Whether the event leaves out user ids and the address, and its session leaves out the user, as with
    /// ``TrackerConfiguration/userAnonymisation``. An event is anonymous if any source sets this; false does not revoke
    /// it.
    public var isAnonymous = false

    /// Fields that the event leaves out even if a later source sets them; fields with a value here keep it.
    public var cleared: Fields = []

    /// The fields that have a value.
    private(set) var fields: Fields = []
    /// The values, indexed by field; empty if no field has a value.
    private var values: [Value?] = []

    /// The value of a field.
    private enum Value: Sendable, Hashable {
        case text(String), number(Int)
        // Indirect, because it is the largest case and few subjects have it.
        indirect case location(GeoLocation)
    }

    /// Creates a subject with all fields unset.
    public init() {}

    /// Creates a subject with the fields that `configure` sets.
    /// - Parameter configure: Sets the fields of the empty subject.
    public init(_ configure: (inout EventSubject) -> Void) {
        configure(&self)
    }

    /// Creates a subject.
    ///
    /// Text that is longer than the limit of Snowplow's atomic schema is truncated. The first truncation of each field
    /// is logged, and ``TrackerCounters/truncated`` counts all. A number or a size outside its bounds is left out and
    /// counted too.
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
    ///   - screenResolution: The size of the user's screen in pixels, such as `1920x1080`.
    ///   - viewport: The size of the user's window in pixels, such as `1280x720`.
    ///   - colorDepth: The depth of the screen's colours in bits.
    ///   - url: The URL of the page or screen.
    ///   - referrer: The URL of the previous page.
    ///   - pageTitle: The page's title.
    ///   - location: The location.
    ///   - isAnonymous: Whether the event leaves out user ids and the address; false by default.
    ///   - cleared: Fields that the event leaves out; none by default.
    public init(
        userID: String? = nil, domainUserID: String? = nil, networkUserID: String? = nil,
        domainSessionID: String? = nil, domainSessionIndex: Int? = nil, ipAddress: String? = nil,
        userAgent: String? = nil, timeZone: String? = nil, language: String? = nil,
        screenResolution: String? = nil, viewport: String? = nil, colorDepth: Int? = nil,
        url: String? = nil, referrer: String? = nil, pageTitle: String? = nil, location: GeoLocation? = nil,
        isAnonymous: Bool = false, cleared: Fields = []
    ) {
        self.userID = userID
        self.domainUserID = domainUserID
        self.networkUserID = networkUserID
        self.domainSessionID = domainSessionID
        self.domainSessionIndex = domainSessionIndex
        self.ipAddress = ipAddress
        self.userAgent = userAgent
        self.timeZone = timeZone
        self.language = language
        self.screenResolution = screenResolution
        self.viewport = viewport
        self.colorDepth = colorDepth
        self.url = url
        self.referrer = referrer
        self.pageTitle = pageTitle
        self.location = location
        self.isAnonymous = isAnonymous
        self.cleared = cleared
    }

    /// The fields that this subject sets or clears; sources of lower precedence do not apply to them.
    var decided: Fields { fields.union(cleared) }

    /// Returns this subject with its unset fields taken from another one.
    /// - Parameter other: The subject with the next precedence.
    /// - Returns: The merged subject, anonymous if one of them is.
    public func merged(over other: EventSubject) -> EventSubject {
        var subject = self
        subject.merge(over: other)
        return subject
    }

    /// Fills the unset fields of this subject from one of lower precedence.
    mutating func merge(over other: EventSubject) {
        other.fields.subtracting(decided).forEach { self[$0] = other[$0] }
        isAnonymous = isAnonymous || other.isAnonymous
        cleared.formUnion(other.cleared)
    }

    /// Removes the personal fields if the subject is anonymous.
    mutating func anonymise() {
        if isAnonymous { Fields.personal.forEach { self[$0] = nil } }
    }

    /// Compares the fields that this subject sets or clears with those of another subject.
    /// - Parameters:
    ///   - other: The other subject.
    ///   - undecided: The fields to compare; the ones that this subject sets or clears are removed.
    /// - Returns: Whether none of the compared fields differs.
    func agrees(with other: EventSubject, _ undecided: inout Fields) -> Bool {
        var agrees = true
        decided.intersection(undecided).forEach { field in agrees = agrees && self[field] == other[field] }
        undecided.subtract(decided)
        return agrees
    }

    /// Appends the parameters of the remaining fields, and removes the fields that the subject sets or clears.
    /// - Parameters:
    ///   - rest: The remaining fields.
    ///   - writer: The writer of the parameters.
    ///   - truncated: Receives the parameters whose values were truncated or left out.
    func write(taking rest: inout Fields, to writer: inout ByteWriter, truncated: inout [AtomicField]) {
        fields.intersection(rest).forEach { field in
            guard field != .location, let value = self[field] else { return }
            let parameter = Fields.parameters[field.index]
            switch value {
            case .text(let text) where !Fields.sizes.contains(field) || Self.isSize(text):
                let cut = parameter.truncated(text)
                if cut != nil { truncated.append(parameter) }
                writer.append(member: parameter.rawValue, cut ?? text)
            case .number(let number) where (field == .colorDepth ? 1...64 : 0...Int(Int32.max)).contains(number):
                writer.append(member: parameter.rawValue, "\(number)")
            default: truncated.append(parameter)
            }
        }
        rest.subtract(decided)
    }

    private static let sideBounds = 0...Int(Int32.max)

    /// Whether a text is a size as trackers send it, `1920x1080`.
    private static func isSize(_ text: String) -> Bool {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        return sides.count == 2 && !text.contains("+") && sides.allSatisfy { $0.map(sideBounds.contains) == true }
    }

    private subscript(field: Fields) -> Value? {
        get { fields.contains(field) ? values[field.index] : nil }
        set {
            if newValue == nil {
                fields.remove(field)
                if fields.isEmpty { values = [] }
            } else {
                fields.insert(field)
                if values.isEmpty { values = Array(repeating: nil, count: Fields.all.rawValue.nonzeroBitCount) }
            }
            if !values.isEmpty { values[field.index] = newValue }
        }
    }

    private subscript(text field: Fields) -> String? {
        get { if case .text(let text) = self[field] { text } else { nil } }
        set { self[field] = newValue.map(Value.text) }
    }

    private subscript(number field: Fields) -> Int? {
        get { if case .number(let number) = self[field] { number } else { nil } }
        set { self[field] = newValue.map(Value.number) }
    }

    private subscript(location field: Fields) -> GeoLocation? {
        get { if case .location(let location) = self[field] { location } else { nil } }
        set { self[field] = newValue.map(Value.location) }
    }
}

extension EventSubject.Fields {
    /// The fields with a size in pixels.
    static let sizes: Self = [.screenResolution, .viewport]

    /// The fields that distinguish users.
    static let identity: Self = [.userID, .domainUserID, .domainSessionID]

    /// The fields that anonymous events leave out.
    static let personal: Self = [.userID, .domainUserID, .networkUserID, .ipAddress]

    /// The parameters of the protocol in the order of the fields; a location has none.
    fileprivate static let parameters: [AtomicField] = [
        .uid, .duid, .tnuid, .sid, .vid, .ip, .ua, .tz, .lang, .res, .vp, .cd, .url, .refr, .page,
    ]

    /// Creates the field of a parameter of the protocol; nil if no field has the parameter.
    init?(parameter name: String) {
        guard let index = Self.parameters.firstIndex(where: { $0.rawValue == name }) else { return nil }
        self.init(rawValue: 1 << UInt32(index))
    }

    /// The index of a field among all fields.
    fileprivate var index: Int { rawValue.trailingZeroBitCount }

    /// Calls a closure with each field of the set.
    fileprivate func forEach(_ body: (Self) -> Void) {
        var bits = rawValue
        while bits != 0 {
            body(Self(rawValue: bits & ~(bits - 1)))
            bits &= bits - 1
        }
    }
}
