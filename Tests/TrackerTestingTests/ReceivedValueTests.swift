import FoundationEssentials
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerGrowthBook

@Suite("Values that a service receives", .endsWhenItHangs)
struct ReceivedValueTests {
    @Test("an override equals the one that the features list")
    func override() throws {
        // The value of a variable that no source defines is hidden: it may be a secret.
        let features = Features([
            FeatureDefinition(name: "checkout", variables: [VariableDefinition(name: "limit", value: 3)])
        ])
        try features.overrides.set(5, for: "checkout", variable: "limit", by: "dana", note: "INC-412")
        let listed = try #require(features.overrides.entries.first)
        #expect(
            listed
                == FeatureOverride(
                    feature: "checkout", variable: "limit", value: 5, time: listed.time, by: "dana",
                    note: "INC-412"))
    }

    @Test("a problem of a condition equals the one that the condition reports")
    func problem() {
        let problem = Condition.Problem(path: ".plan.$regx", reason: "unknown operator '$regx'", isFatal: true)
        #expect(Condition(["plan": ["$regx": "a"]]).problems == [problem])
    }
}
