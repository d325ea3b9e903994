/// The settings of a tracker's session.
public struct SessionConfiguration: ConfigurationSection, Sendable, Equatable {
    /// The time without events after which a new session begins; 1 s … 10 years; built in: 1,800 s.
    public var foregroundTimeout: Duration?

    /// Kept for mobile trackers that read the same document; without effect in a service.
    public var backgroundTimeout: Duration?

    /// Whether the last session continues after a restart within its timeout; built in: false; set in code only.
    public var continueSessionOnRestart: Bool?

    /// Creates a section with all settings unset.
    public init() {}

    /// Creates a section with the settings that `configure` sets.
    /// - Parameter configure: Sets the settings of the empty section.
    public init(_ configure: (inout SessionConfiguration) -> Void) {
        self.init()
        configure(&self)
    }

    /// The section's name.
    package static let name = "session"

    /// The section's place in a bundle.
    package static var inBundle: WritableKeyPath<ConfigurationBundle, SessionConfiguration?> { \.session }

    /// The section's place in layers.
    package static var inLayers: WritableKeyPath<TrackerLayers, Layered<SessionConfiguration>> { \.session }

    /// All settings of the section.
    package static let fields: [ConfigurationField<SessionConfiguration>] = [
        ConfigurationField("foregroundTimeout", \.foregroundTimeout, within: .seconds(1) ... .tenYears),
        ConfigurationField(
            "backgroundTimeout", \.backgroundTimeout, within: .seconds(1) ... .tenYears,
            caveat: "without effect: a service is not moved to the background"),
        ConfigurationField("continueSessionOnRestart", \.continueSessionOnRestart, isInDocuments: false),
    ]

    /// The values of settings that no layer sets.
    package static let builtIn = SessionConfiguration {
        $0.foregroundTimeout = .seconds(1800)
        $0.backgroundTimeout = .seconds(1800)
        $0.continueSessionOnRestart = false
    }
}

extension Duration {
    /// The maximum duration of a setting.
    static var tenYears: Duration { .seconds(315_360_000) }
}
