/// The entities and fields that a tracker attaches to its events, and how it encodes them.
public struct TrackerConfiguration: ConfigurationSection, Sendable, Equatable {
    /// The application's id, `aid`; built in: the executable's name.
    public var appID: String?

    /// The platform, `p`; built in: ``DevicePlatform/server``.
    public var devicePlatform: DevicePlatform?

    /// Whether JSON in events is encoded as base64; built in: true.
    public var base64Encoding: Bool?

    /// The tracker's log level; built in: ``LogLevel/off``.
    public var logLevel: LogLevel?

    /// Whether events carry the session entity; built in: false. The whole process has one session, so only events
    /// without a user of their own carry it, see ``EventSubject``; `ClientSession` of the library `TrackerClientEvents`
    /// is the session of a user.
    public var sessionContext: Bool?

    /// Whether events carry the application entity, which needs ``applicationVersion``; built in: false.
    public var applicationContext: Bool?

    /// Whether events carry the platform entity, about the operating system; built in: false.
    public var platformContext: Bool?

    /// Whether events carry the geolocation of their subject, if it has one; built in: false.
    public var geoLocationContext: Bool?

    /// Whether the tracker's own errors become `diagnostic_error` events, one per cause and minute; built in: false.
    public var diagnosticAutotracking: Bool?

    /// Whether events leave out user ids and addresses, and the session's user id is zero; built in: false.
    public var userAnonymisation: Bool?

    /// The share of events to track; built in: nil, which tracks all.
    public var sampling: Sampling?

    /// The lawful basis of processing, attached to every event as the GDPR entity; set in code only.
    public var gdpr: GDPR?

    /// A suffix of the SDK's version in `tv`, after a space, such as `shop-3`; ASCII letters, digits, `.` and `-`.
    /// Other characters are removed with a warning. nil by default; set in code only.
    public var trackerVersionSuffix: String?

    /// The application's version for the application entity; set in code only.
    public var applicationVersion: String?

    /// The application's build for the application entity, empty if unset; set in code only.
    public var applicationBuild: String?

    /// The settings of mobile trackers that read the same document; a service only explains them.
    private static let withoutEffect = [
        "screenContext", "screenViewAutotracking", "screenEngagementAutotracking", "lifecycleAutotracking",
        "installAutotracking", "deepLinkContext", "immersiveSpaceContext", "exceptionAutotracking",
    ]
    private var valuesWithoutEffect: [String: Bool] = [:]

    private subscript(withoutEffect name: String) -> Bool? {
        get { valuesWithoutEffect[name] }
        set { valuesWithoutEffect[name] = newValue }
    }

    /// Creates a section with all settings unset.
    public init() {}

    /// Creates a section with the settings that `configure` sets.
    /// - Parameter configure: Sets the settings of the empty section.
    public init(_ configure: (inout TrackerConfiguration) -> Void) {
        self.init()
        configure(&self)
    }

    /// The section's name.
    package static let name = "tracker"

    /// The section's place in a bundle.
    package static var inBundle: WritableKeyPath<ConfigurationBundle, TrackerConfiguration?> { \.tracker }

    /// The section's place in layers.
    package static var inLayers: WritableKeyPath<TrackerLayers, Layered<TrackerConfiguration>> { \.tracker }

    /// All settings of the section.
    package static let fields =
        ownFields
        + withoutEffect.map { name in
            ConfigurationField(
                name, \.[withoutEffect: name], caveat: "without effect: a service is no application on a device")
        }

    private static let ownFields: [ConfigurationField<TrackerConfiguration>] = [
        ConfigurationField("appId", \.appID),
        ConfigurationField("devicePlatform", \.devicePlatform),
        ConfigurationField("base64encoding", \.base64Encoding, aliases: ["base64Encoding"]),
        ConfigurationField("logLevel", \.logLevel),
        ConfigurationField(
            "sessionContext", \.sessionContext,
            caveat: "one session for the whole process; events about a user of their own do not carry it"),
        ConfigurationField("applicationContext", \.applicationContext),
        ConfigurationField("platformContext", \.platformContext),
        ConfigurationField("geoLocationContext", \.geoLocationContext),
        ConfigurationField("diagnosticAutotracking", \.diagnosticAutotracking),
        ConfigurationField("userAnonymisation", \.userAnonymisation),
        ConfigurationField("sampling", \.sampling),
        ConfigurationField("gdpr", \.gdpr, isInDocuments: false),
        ConfigurationField(
            "trackerVersionSuffix", \.trackerVersionSuffix, isInDocuments: false,
            nearest: { suffix in
                let usable = suffix.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") }
                let reason = "in \(suffix.excerpt), characters other than letters, digits, '.' and '-' are removed"
                return usable == suffix ? nil : (usable, reason)
            }),
        ConfigurationField("applicationVersion", \.applicationVersion, isInDocuments: false),
        ConfigurationField("applicationBuild", \.applicationBuild, isInDocuments: false),
    ]

    /// The values of settings that no layer sets.
    package static let builtIn = TrackerConfiguration {
        $0.appID = ServiceName.executable
        $0.devicePlatform = .server
        $0.base64Encoding = true
        $0.logLevel = .off
        $0.sessionContext = false
        $0.applicationContext = false
        $0.platformContext = false
        $0.geoLocationContext = false
        $0.diagnosticAutotracking = false
        $0.userAnonymisation = false
    }
}

/// The platform that events come from.
@nonexhaustive
public enum DevicePlatform: String, Sendable, Hashable, CaseIterable, DocumentWord {
    /// A web page.
    case web
    /// A phone or tablet.
    case mobile = "mob"
    /// A desktop computer.
    case desktop = "pc"
    /// A service.
    case server = "srv"
    /// Any other application.
    case general = "app"
    /// A television.
    case television = "tv"
    /// A games console.
    case console = "cnsl"
    /// A device of the internet of things.
    case internetOfThings = "iot"
    /// A headset for virtual or augmented reality.
    case headset
}
