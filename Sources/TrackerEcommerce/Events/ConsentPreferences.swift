public import TrackerCore

/// A user's choice of consent, or its end, `iglu:com.snowplowanalytics.snowplow/consent_preferences/jsonschema/1-0-0`.
///
/// Snowplow rejects an event with a value outside its bounds.
public struct ConsentPreferences: Event {
    /// A user's action about consent.
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

    /// The choice as self-describing data.
    public let content: EventContent

    /// Creates an event.
    /// - Parameters:
    ///   - action: The user's action.
    ///   - basis: The lawful basis of processing.
    ///   - consentURL: The URL of the privacy policy, an absolute URI.
    ///   - consentVersion: The version of the privacy policy, at most 16 characters.
    ///   - consentScopes: The scopes that were consented to, such as `analytics`, at least one, at most 1,024
    ///     characters each.
    ///   - domainsApplied: The domains that the choice is for, at least one, at most 1,024 characters each.
    ///   - gdprApplies: Whether the GDPR applies to the user; nil, the default, leaves it out.
    public init(
        action: Action, basis: GDPR.Basis, consentURL: String, consentVersion: String, consentScopes: [String],
        domainsApplied: [String], gdprApplies: Bool? = nil
    ) {
        let data = JSONObject(data: [
            "eventType": action.rawValue, "basisForProcessing": basis.rawValue, "consentUrl": consentURL,
            "consentVersion": consentVersion, "consentScopes": consentScopes, "domainsApplied": domainsApplied,
            "gdprApplies": gdprApplies,
        ])
        content = .selfDescribing(
            schema: "iglu:com.snowplowanalytics.snowplow/consent_preferences/jsonschema/1-0-0", data: data)
    }
}
