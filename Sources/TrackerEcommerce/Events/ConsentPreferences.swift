public import TrackerCore

/// A user's choice of consent, or its end, `iglu:com.snowplowanalytics.snowplow/consent_preferences/jsonschema/1-0-0`.
///
/// Properties that are nil, which is the default, are left out.
public struct ConsentPreferences: Event {
    /// What a user did about consent.
    @nonexhaustive
    public enum Action: String, Sendable, Hashable, CaseIterable {
        /// All scopes were accepted.
        case allowAll = "allow_all"
        /// Some scopes were accepted.
        case allowSelected = "allow_selected"
        /// All scopes were declined.
        case denyAll = "deny_all"
        /// The user has not chosen yet.
        case pending
        /// Consent is implied by use.
        case implicitConsent = "implicit_consent"
        /// Consent was withdrawn.
        case withdrawn
        /// Consent expired.
        case expired
    }

    /// What the user did.
    public let action: Action

    /// The lawful basis of processing.
    public let basis: GDPR.Basis

    /// The URL of the privacy policy, an absolute URI.
    public let consentURL: String

    /// The version of the privacy policy, at most 16 characters.
    public let consentVersion: String

    /// The scopes that were consented to, such as `analytics`, at least one, at most 1,024 characters each.
    public let consentScopes: [String]

    /// The domains that the choice is for, at least one, at most 1,024 characters each.
    public let domainsApplied: [String]

    /// Whether the GDPR applies to the user.
    public let gdprApplies: Bool?

    /// Creates an event.
    /// - Parameters:
    ///   - action: What the user did.
    ///   - basis: The lawful basis of processing.
    ///   - consentURL: The URL of the privacy policy, an absolute URI.
    ///   - consentVersion: The version of the privacy policy, at most 16 characters.
    ///   - consentScopes: The scopes that were consented to, such as `analytics`, at least one, at most 1,024
    ///     characters each.
    ///   - domainsApplied: The domains that the choice is for, at least one, at most 1,024 characters each.
    ///   - gdprApplies: Whether the GDPR applies to the user.
    /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
    public init(
        action: Action, basis: GDPR.Basis, consentURL: String, consentVersion: String, consentScopes: [String],
        domainsApplied: [String], gdprApplies: Bool? = nil
    ) throws(EventError) {
        let check = ValueCheck(Self.self)
        self.action = action
        self.basis = basis
        self.consentURL = try check.uri(consentURL, "consentURL")
        self.consentVersion = try check.text(consentVersion, "consentVersion", atMost: 16)
        self.consentScopes = try check.nonEmptyTexts(consentScopes, "consentScopes", atMost: 1024)
        self.domainsApplied = try check.nonEmptyTexts(domainsApplied, "domainsApplied", atMost: 1024)
        self.gdprApplies = gdprApplies
    }

    /// The choice as self-describing data.
    public var content: EventContent {
        let data = JSONObject(present: [
            ("eventType", .string(action.rawValue)),
            ("basisForProcessing", .string(basis.rawValue)),
            ("consentUrl", .string(consentURL)),
            ("consentVersion", .string(consentVersion)),
            ("consentScopes", .array(consentScopes.map(JSONValue.string))),
            ("domainsApplied", .array(domainsApplied.map(JSONValue.string))),
            ("gdprApplies", gdprApplies.map(JSONValue.bool)),
        ])
        return .selfDescribing(
            schema: "iglu:com.snowplowanalytics.snowplow/consent_preferences/jsonschema/1-0-0", data: data)
    }
}
