import Testing
import TrackerCore
import TrackerEcommerce

struct ConsentPreferencesTests {
    @Test(
        "Values are bounded as the schema has it",
        arguments: [
            Bound.uri("consentURL") { try preferences(url: $0) },
            Bound.text("consentVersion", atMost: 16) { try preferences(version: $0) },
            Bound.text("consentScopes[1]", atMost: 1024) { try preferences(scopes: ["analytics", $0]) },
            Bound.text("domainsApplied[0]", atMost: 1024) { try preferences(domains: [$0]) },
        ])
    func valuesAreBounded(_ bound: Bound) {
        bound.check("ConsentPreferences")
    }

    @Test("There is a scope and a domain")
    func listsAreNotEmpty() {
        #expect(
            sentence { try Self.preferences(scopes: []) } == "ConsentPreferences: consentScopes: expected at least one")
        #expect(
            sentence { try Self.preferences(domains: []) }
                == "ConsentPreferences: domainsApplied: expected at least one")
    }

    @Test("Actions have the names of the schema")
    func actionsAreNamed() {
        #expect(
            Set(ConsentPreferences.Action.allCases.map(\.rawValue)) == [
                "deny_all", "allow_all", "allow_selected", "pending", "implicit_consent", "withdrawn", "expired",
            ])
    }

    private static func preferences(
        url: String = "https://example.com/privacy", version: String = "1", scopes: [String] = ["analytics"],
        domains: [String] = ["example.com"]
    ) throws -> ConsentPreferences {
        try ConsentPreferences(
            action: .allowAll, basis: .consent, consentURL: url, consentVersion: version, consentScopes: scopes,
            domainsApplied: domains)
    }
}
